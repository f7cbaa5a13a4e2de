#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-2-Clause
# A service of a user other than root, and other users: which of them may submit, read, cancel, and what they can do to each other's jobs.
#   usage: tests/ranks/serve_users.sh PROGRAM      as root, which can act as any user; else it is skipped (77)
set -uo pipefail
if [ "$(id -u)" -ne 0 ] || ! setpriv --reuid 1002 true 2>/dev/null; then
  echo "skipped: only root can be several users"
  exit 77
fi
cp=$(realpath "$1")
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/ranks/spool.sh
. "$root/tests/ranks/spool.sh"
chmod 755 .
# others may not look into the folder where it was built
cp "$cp" stiction
PROGRAM=$PWD/stiction
cp "$problems/tp1.yaml" .
tp1=$PWD/tp1.yaml
chmod 755 stiction
chmod 644 tp1.yaml
SERVER=1002 ALICE=1001 BOB=1003 CAROL=1004 GROUP=1100
# as UID COMMAND...: by that user. In the group: the service's, Alice, Carol
as() {
  local user=$1 groups=$GROUP
  shift
  [ "$user" != $BOB ] || groups=$BOB
  (cd "$scratch/home$user" && exec setpriv --reuid "$user" --regid "$user" --groups "$groups" env HOME="$PWD" TMPDIR="$PWD" "$@")
}
for user in $SERVER $ALICE $BOB $CAROL; do
  mkdir -m 700 "home$user"
  chown "$user:$user" "home$user"
done
# serve SPOOL OPTIONS...: the service, in the background
serve() {
  mpi_settings 2
  as $SERVER mpirun --oversubscribe --bind-to none -n 2 "$PROGRAM" serve "$@" >log 2>err.log </dev/null &
  service=$!
}
logged() { grep -qE -- "$1" log err.log; }
state() { "$PROGRAM" status "$1" "$2" --json | jq -r .state; }
is() { [ "$(state "$1" "$2")" = "$3" ]; }
reason() { "$PROGRAM" status "$1" "$2" --json | jq -r .reason; }
# ended: the service, with 0
ended() {
  local code=0
  wait "$service" || code=$?
  that "the service ends with 0 (exit $code)" test "$code" -eq 0
}
may_read() { as "$1" test -r "$2"; }
may_not_read() { ! may_read "$1" "$2"; }
small=(--set search.scheme_size=9 --set search.max_simplexes=20 --set time.step=0.05 --set output.verify=no --set search.refine=none)
long=(--set search.accept=1e-300 --set search.restarts=1000 --set time.step=0.002)
mkdir data
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 5\n3 3 6\n' >data/M.mtx
sed 's/mass: .*/mass: {file: data\/M.mtx}/' "$tp1" >packed.yaml
chmod -R a+rX data packed.yaml
# the small search as a file
sed -e 's/^  mass: .*/  mass: [4, 5, 6]              #/' -e 's/step: [0-9.]*/step: 0.05/' \
  -e 's/^search: .*/search: {method: pds, penalty: P, scheme_size: 9, max_simplexes: 20, refine: none}/' "$tp1" >good.yaml

# --- a group's spool
mkdir shared
chown $SERVER:$SERVER shared
as $SERVER sh -c "umask 002; '$PROGRAM' serve '$PWD/shared' --init"
chgrp $GROUP shared/incoming
as $SERVER "$PROGRAM" serve "$PWD/shared" --init
that "its incoming/" test "$(stat -c %a:%g shared/incoming)" = 1775:$GROUP
expect 0 as $ALICE "$PROGRAM" submit "$PWD/shared" "$PWD/packed.yaml" "${small[@]}"
expect 0 as $ALICE "$PROGRAM" submit "$PWD/shared" "$tp1" --name long "${long[@]}"
that "a package is the group's" test "$(stat -c %a:%u:%g shared/incoming/packed shared/incoming/packed/M.mtx | tr '\n' ' ')" = \
  "1770:$ALICE:$GROUP 640:$ALICE:$GROUP "
expect 2 as $BOB "$PROGRAM" submit "$PWD/shared" "$tp1"
has err '^stiction submit: .*/shared/incoming/tp1: Permission denied$'
as $CAROL touch "$PWD/home$CAROL/M.mtx"
expect 1 as $CAROL mv -f M.mtx "$PWD/shared/incoming/packed/M.mtx"
expect 1 as $CAROL rm -f "$PWD/shared/incoming/packed/M.mtx"
has err 'Operation not permitted$'
expect 2 as $CAROL "$PROGRAM" cancel "$PWD/shared" packed
has err 'packed: belongs to another user, and only that user can cancel it$'
expect 0 as $CAROL touch "$PWD/shared/incoming/packed/-planted-"
expect 0 as $CAROL ln -s /etc/passwd "$PWD/shared/incoming/packed/planted.mtx"
serve "$PWD/shared"
that "Alice's job is done" soon 30 is shared packed "done"
has shared/done/packed/messages.txt 'it belongs to another user: left out$'
that "hers alone counts" absent shared/done/packed/planted.mtx
that "her other one runs" soon 20 is shared long running
that "rights" test "$(stat -c %a:%u:%g shared/running/long shared/done/packed | sort -u)" = "750:$SERVER:$GROUP"
that "of status.json and submitted.json" test "$(stat -c %a shared/lock shared/status.json shared/done/packed/submitted.json | tr '\n' ' ')" = '600 644 644 '
that "its user and group" test "$(jq -c '[.user, .group]' shared/done/packed/submitted.json)" = "[$ALICE,$GROUP]"
for file in done/packed/summary.json running/long/search.csv; do
  that "Alice reads $file" may_read $ALICE "$PWD/shared/$file"
  that "Bob does not" may_not_read $BOB "$PWD/shared/$file"
done
that "no other user can lock" may_not_read $ALICE "$PWD/shared/lock"
for command in "cancel $PWD/shared long" "fetch $PWD/shared packed -o got"; do
  # shellcheck disable=SC2086 # words
  expect 2 as $BOB "$PROGRAM" $command
  has err 'Permission denied$'
done
expect 2 as $CAROL "$PROGRAM" cancel "$PWD/shared" long
has err 'long: refused by the service .see its log.$'
that "the log does" logged ' long: is not cancelled: the job belongs to another user, not to 1004$'
expect 0 as $ALICE "$PROGRAM" fetch "$PWD/shared" packed -o got --quiet
expect 0 as $ALICE "$PROGRAM" cancel "$PWD/shared" long
that "cancelled" soon 20 is shared long cancelled

# --- a folder that the service may not move: said once, in the log and in status; taken when it may
mkdir home$ALICE/own
cp good.yaml home$ALICE/own/problem.yaml
chown -R $ALICE:$GROUP home$ALICE/own
chmod 755 home$ALICE/own
as $ALICE mv own "$PWD/shared/incoming/own"
that "the log says why" soon 10 logged 'incoming/own: the service may not move this folder of another user'
stuck() { [[ $(reason shared own) == "the service may not move this folder of another user (expected rights 1777"* ]]; }
that "so does status" soon 10 stuck
has <("$PROGRAM" status shared) '^own +waiting .*the service may not move this folder'
sleep 0.5
that "once" test "$(cat log err.log | grep -c 'incoming/own')" -eq 1
as $ALICE touch "$PWD/shared/incoming/own.cancel"
that "nor can it be cancelled" soon 10 logged ' own: is not cancelled: it cannot be moved, and waits until its submitter takes it away: asked by 1001$'
as $ALICE chmod 1777 "$PWD/shared/incoming/own"
that "taken when it may be" soon 30 is shared own "done"
that "no reason is left" test "$(reason shared own)" != 'the service may not move this folder of another user'

# --- a file and a folder of one name; a cancel request means the requester's own job
expect 0 as $ALICE "$PROGRAM" submit "$PWD/shared" "$tp1" --name block "${long[@]}"
that "one that keeps the others waiting" soon 20 is shared block running
touch shared/stop
ended
expect 0 as $ALICE "$PROGRAM" submit "$PWD/shared" "$tp1" --name x --priority -9 "${long[@]}"
cp "$tp1" home$CAROL/x.yaml
chown $CAROL:$GROUP home$CAROL/x.yaml
as $CAROL cp x.yaml "$PWD/shared/incoming/.x"
as $CAROL mv "$PWD/shared/incoming/.x" "$PWD/shared/incoming/x.yaml"
as $CAROL touch "$PWD/shared/incoming/x.cancel"
cp home$CAROL/x.yaml home$CAROL/block.yaml
chown $CAROL:$GROUP home$CAROL/block.yaml
as $CAROL mv block.yaml "$PWD/shared/incoming/block.yaml"
as $CAROL touch "$PWD/shared/incoming/block.cancel"
as $CAROL touch "$PWD/shared/incoming/y.cancel"
serve "$PWD/shared" --at-once 1
that "Carol's is cancelled" soon 20 test -e shared/cancelled/x/problem.yaml
that "it is hers" soon 10 logged ' x: cancelled while it waited, by 1004$'
that "so is another, beside Alice's that has begun" soon 10 test -e shared/cancelled/block-2/problem.yaml -a -e shared/running/block
that "a cancel request without a job is logged, once" soon 10 logged ' y: is no job, which could be cancelled: asked by 1004$'
that "Alice's waits, or runs" soon 10 test -e shared/incoming/x -o -e shared/running/x -o -e shared/running/x-2
expect 0 as $ALICE "$PROGRAM" cancel "$PWD/shared" block
touch shared/stop
ended

# --- a packed job that others may write into, and a submitter that goes on writing
mkdir open
chown $SERVER:$SERVER open
as $SERVER sh -c "umask 0; '$PROGRAM' serve '$PWD/open' --init"
expect 0 as $ALICE "$PROGRAM" submit "$PWD/open" "$PWD/packed.yaml" "${small[@]}"
that "open to the service" test "$(stat -c %a open/incoming/packed)" = 1777
as $BOB sh -c "echo '{\"format\": 1, \"command\": \"simulate\"}' >'$PWD/open/incoming/packed/job.json'" 2>err
has err 'Permission denied'
expect 0 as $BOB touch "$PWD/open/incoming/packed/error.txt"
mkdir -m 777 home$BOB/trap # where Alice writes a file, which is Bob's to move
chown $BOB:$BOB home$BOB/trap
install -o $ALICE -m 600 "$tp1" home$BOB/trap/letter
as $BOB mv trap/letter "$PWD/open/incoming/packed.cancel"
sed 's|^  mass: .*|  mass: {file: ../../../data/M.mtx}|' good.yaml >evil.yaml
cat >writer.py <<'PY'
import os, sys, time
texts = [open(name, "rb").read() for name in ("good.yaml", "evil.yaml")]
texts = [text + b"\n" * (max(map(len, texts)) - len(text)) for text in texts]
files = []
os.setgroups([]), os.setgid(1003), os.setuid(1003)
end = time.time() + float(sys.argv[1])
for k in range(24):
    hidden, name = f"open/incoming/.w{k}", f"open/incoming/w{k}.yaml"
    files.append(os.open(hidden, os.O_RDWR | os.O_CREAT, 0o644))
    os.pwrite(files[-1], texts[0], 0)
    os.rename(hidden, name)
while time.time() < end:
    for text in texts[::-1]:
        for file in files:
            os.pwrite(file, text, 0)
PY
code=0
"$PROGRAM" control good.yaml -o whole -q || code=$?
that "the good one by hand (exit $code)" test "$code" -eq 0 -o "$code" -eq 3
stripped whole >whole.txt
python3 writer.py 3 &
writer=$!
that "24 are in" soon 10 test -e open/incoming/w23.yaml
serve "$PWD/open" --drain
wait "$writer"
ended
that "all have ended" test "$(($(count open/done) + $(count open/failed)))" -eq 25
for k in $(seq 0 23); do
  if [ -d "open/done/w$k" ]; then
    that "w$k: one text, the good one" cmp -s whole.txt <(stripped "open/done/w$k")
    that "w$k: which is kept" eval "! grep -q file: open/done/w$k/problem.yaml"
  else # a read may meet a write halfway, and see some of both texts
    has "open/failed/w$k/error.txt" "^w$k.yaml:[0-9]+:[0-9]+: (model.mass.file: another file \\(expected|document: )"
  fi
done
that "the packed one is Alice's, whatever Bob has planted" is open packed "done"
that "as she wanted it" test "$(jq -r .command open/done/packed/checkpoint/run.json 2>/dev/null || jq -r .command open/done/packed/job.json)" = control
that "a file of hers that Bob has moved there cancels nothing" logged 'incoming/packed.cancel: not a request to cancel'
that "it stays" test -s open/incoming/packed.cancel

# --- what has ended, and is not given away yet
as $ALICE "$PROGRAM" submit "$PWD/open" "$tp1" --name late --wait >waited 2>&1 &
waiter=$!
that "it is in" soon 20 test -e open/incoming/late.yaml
mkdir -m 700 open/done/late
mv open/incoming/late.yaml open/done/late/problem.yaml
sleep 1
chown -R $ALICE open/done/late
code=0
wait "$waiter" || code=$?
that "the waiting command ends with its job: $code" test "$code" -eq 0
has waited '^late: done$'

# --- what cannot be moved has not been drained
install -d -o $ALICE -m 755 open/incoming/own
serve "$PWD/open" --drain
code=0
wait "$service" || code=$?
that "the service ends with 70 (exit $code)" test "$code" -eq 70
every_summary shared open
[ -z "${KEEP:-}" ] || cp -a . "$KEEP"
verdict
