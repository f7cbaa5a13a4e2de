#include "src/search/search_drive.h"

#include "src/search/model_message.h"

#include <stdlib.h>

int search_drive(const SearchDrive *drive, CtlTimes *times) {
  if (!drive->pool) return ctl_drive_serial(drive->search, drive->evaluator, drive->listener, times);
  CtlJob job = {
      .search = drive->search, .evaluator = drive->evaluator, .listener = drive->listener, .timeout = drive->timeout};
  void *model = NULL;
  if (drive->sent) {
    job.model = model = model_message_pack(drive->sent, drive->path, &job.model_size);
    if (!model) return CTL_DRIVE_NO_MEMORY;
  }
  int over = ctl_pool_drive(drive->pool, &job, times);
  free(model);
  return over;
}
