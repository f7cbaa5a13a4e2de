/* SPDX-License-Identifier: BSD-2-Clause */
/* PETSc, loaded on first use (sim/base/library.h) by stiction_petsc_start, or already by the process. Files that
 * include this header use PETSc's functions by their own names. To add a function, add its name to the list and a line
 * after the list. */
#ifndef SIM_PETSC_LIBRARY_H
#define SIM_PETSC_LIBRARY_H

#include "sim/base/library.h"

#include <petscksp.h>
#include <petsctao.h>

/* clang-format off */
#define PETSC_SYMBOLS(X)                                                                                               \
  X(KSPCreate) X(KSPDestroy) X(KSPGetConvergedReason) X(KSPGetIterationNumber) X(KSPGetPC) X(KSPSetFromOptions)        \
  X(KSPSetInitialGuessNonzero) X(KSPSetOperators) X(KSPSetOptionsPrefix) X(KSPSetTolerances) X(KSPSetType)             \
  X(KSPSetUp) X(KSPSolve) X(MatAssemblyBegin) X(MatAssemblyEnd) X(MatAXPY) X(MatCopy) X(MatCreateAIJ)                  \
  X(MatCreateSeqDense) X(MatCreateVecs) X(MatDenseGetArrayWrite) X(MatDenseRestoreArrayWrite) X(MatDestroy)            \
  X(MatDiagonalScale) X(MatDiagonalSet) X(MatDuplicate) X(MatGetDiagonal) X(MatMult) X(MatMultAdd) X(MatNorm)          \
  X(MatSetOption) X(MatSetValues) X(MatTranspose) X(PCBJacobiGetSubKSP) X(PCSetType) X(PCSetUp) X(PetscError)          \
  X(PetscFinalize) X(PetscInitialize) X(PetscInitialized) X(PetscMallocGetDebug) X(PetscMallocSet)                     \
  X(PetscObjectGetReference) X(PetscObjectReference) X(PetscObjectSetOptions) X(PetscObjectTypeCompare)                \
  X(PetscOptionsCreate) X(PetscOptionsDestroy) X(PetscOptionsGetAll) X(PetscOptionsHasName)                            \
  X(PetscOptionsInsertString) X(PetscOptionsLeftGet) X(PetscOptionsLeftRestore) X(PetscOptionsSetValue)                \
  X(PetscPushErrorHandler) X(PetscReturnErrorHandler) X(PetscTrFree) X(TaoCreate) X(TaoDefaultConvergenceTest)         \
  X(TaoDestroy) X(TaoGetConvergedReason) X(TaoGetSolutionStatus) X(TaoSetConvergedReason) X(TaoSetConvergenceTest)     \
  X(TaoSetFromOptions) X(TaoSetGradient) X(TaoSetHessian) X(TaoSetMaximumFunctionEvaluations)                          \
  X(TaoSetMaximumIterations) X(TaoSetObjective) X(TaoSetResidualRoutine) X(TaoSetSolution) X(TaoSetTolerances)         \
  X(TaoSetType) X(TaoSetVariableBounds) X(TaoSolve) X(VecAssemblyBegin) X(VecAssemblyEnd) X(VecAXPBY) X(VecCreateMPI)  \
  X(VecCreateMPIWithArray) X(VecCreateSeq) X(VecDestroy) X(VecDuplicate) X(VecGetArray) X(VecGetArrayRead)             \
  X(VecGetArrayWrite) X(VecGetLocalSize) X(VecPlaceArray) X(VecPointwiseMult) X(VecResetArray) X(VecRestoreArray)      \
  X(VecRestoreArrayRead) X(VecRestoreArrayWrite) X(VecSet) X(VecSetOperation) X(VecSetValues)                          \
  X(PETSC_MPI_THREAD_REQUIRED)
/* clang-format on */

typedef struct PetscTable {
  PETSC_SYMBOLS(LIBRARY_MEMBER)
} PetscTable;

extern PetscTable petsc_table;

const char *petsc_library_load(bool there); /* loads PETSc; arguments and result as for library_load */

#define KSPCreate                        (*petsc_table.at_KSPCreate)
#define KSPDestroy                       (*petsc_table.at_KSPDestroy)
#define KSPGetConvergedReason            (*petsc_table.at_KSPGetConvergedReason)
#define KSPGetIterationNumber            (*petsc_table.at_KSPGetIterationNumber)
#define KSPGetPC                         (*petsc_table.at_KSPGetPC)
#define KSPSetFromOptions                (*petsc_table.at_KSPSetFromOptions)
#define KSPSetInitialGuessNonzero        (*petsc_table.at_KSPSetInitialGuessNonzero)
#define KSPSetOperators                  (*petsc_table.at_KSPSetOperators)
#define KSPSetOptionsPrefix              (*petsc_table.at_KSPSetOptionsPrefix)
#define KSPSetTolerances                 (*petsc_table.at_KSPSetTolerances)
#define KSPSetType                       (*petsc_table.at_KSPSetType)
#define KSPSetUp                         (*petsc_table.at_KSPSetUp)
#define KSPSolve                         (*petsc_table.at_KSPSolve)
#define MatAssemblyBegin                 (*petsc_table.at_MatAssemblyBegin)
#define MatAssemblyEnd                   (*petsc_table.at_MatAssemblyEnd)
#define MatAXPY                          (*petsc_table.at_MatAXPY)
#define MatCopy                          (*petsc_table.at_MatCopy)
#define MatCreateAIJ                     (*petsc_table.at_MatCreateAIJ)
#define MatCreateSeqDense                (*petsc_table.at_MatCreateSeqDense)
#define MatCreateVecs                    (*petsc_table.at_MatCreateVecs)
#define MatDenseGetArrayWrite            (*petsc_table.at_MatDenseGetArrayWrite)
#define MatDenseRestoreArrayWrite        (*petsc_table.at_MatDenseRestoreArrayWrite)
#define MatDestroy                       (*petsc_table.at_MatDestroy)
#define MatDiagonalScale                 (*petsc_table.at_MatDiagonalScale)
#define MatDiagonalSet                   (*petsc_table.at_MatDiagonalSet)
#define MatDuplicate                     (*petsc_table.at_MatDuplicate)
#define MatGetDiagonal                   (*petsc_table.at_MatGetDiagonal)
#define MatMult                          (*petsc_table.at_MatMult)
#define MatMultAdd                       (*petsc_table.at_MatMultAdd)
#define MatNorm                          (*petsc_table.at_MatNorm)
#define MatSetOption                     (*petsc_table.at_MatSetOption)
#define MatSetValues                     (*petsc_table.at_MatSetValues)
#define MatTranspose                     (*petsc_table.at_MatTranspose)
#define PCBJacobiGetSubKSP               (*petsc_table.at_PCBJacobiGetSubKSP)
#define PCSetType                        (*petsc_table.at_PCSetType)
#define PCSetUp                          (*petsc_table.at_PCSetUp)
#define PetscError                       (*petsc_table.at_PetscError)
#define PetscFinalize                    (*petsc_table.at_PetscFinalize)
#define PetscInitialize                  (*petsc_table.at_PetscInitialize)
#define PetscInitialized                 (*petsc_table.at_PetscInitialized)
#define PetscMallocGetDebug              (*petsc_table.at_PetscMallocGetDebug)
#define PetscMallocSet                   (*petsc_table.at_PetscMallocSet)
#define PetscObjectGetReference          (*petsc_table.at_PetscObjectGetReference)
#define PetscObjectReference             (*petsc_table.at_PetscObjectReference)
#define PetscObjectSetOptions            (*petsc_table.at_PetscObjectSetOptions)
#define PetscObjectTypeCompare           (*petsc_table.at_PetscObjectTypeCompare)
#define PetscOptionsCreate               (*petsc_table.at_PetscOptionsCreate)
#define PetscOptionsDestroy              (*petsc_table.at_PetscOptionsDestroy)
#define PetscOptionsGetAll               (*petsc_table.at_PetscOptionsGetAll)
#define PetscOptionsHasName              (*petsc_table.at_PetscOptionsHasName)
#define PetscOptionsInsertString         (*petsc_table.at_PetscOptionsInsertString)
#define PetscOptionsLeftGet              (*petsc_table.at_PetscOptionsLeftGet)
#define PetscOptionsLeftRestore          (*petsc_table.at_PetscOptionsLeftRestore)
#define PetscOptionsSetValue             (*petsc_table.at_PetscOptionsSetValue)
#define PetscPushErrorHandler            (*petsc_table.at_PetscPushErrorHandler)
#define PetscReturnErrorHandler          (*petsc_table.at_PetscReturnErrorHandler)
#define PetscTrFree                      (*petsc_table.at_PetscTrFree)
#define TaoCreate                        (*petsc_table.at_TaoCreate)
#define TaoDefaultConvergenceTest        (*petsc_table.at_TaoDefaultConvergenceTest)
#define TaoDestroy                       (*petsc_table.at_TaoDestroy)
#define TaoGetConvergedReason            (*petsc_table.at_TaoGetConvergedReason)
#define TaoGetSolutionStatus             (*petsc_table.at_TaoGetSolutionStatus)
#define TaoSetConvergedReason            (*petsc_table.at_TaoSetConvergedReason)
#define TaoSetConvergenceTest            (*petsc_table.at_TaoSetConvergenceTest)
#define TaoSetFromOptions                (*petsc_table.at_TaoSetFromOptions)
#define TaoSetGradient                   (*petsc_table.at_TaoSetGradient)
#define TaoSetHessian                    (*petsc_table.at_TaoSetHessian)
#define TaoSetMaximumFunctionEvaluations (*petsc_table.at_TaoSetMaximumFunctionEvaluations)
#define TaoSetMaximumIterations          (*petsc_table.at_TaoSetMaximumIterations)
#define TaoSetObjective                  (*petsc_table.at_TaoSetObjective)
#define TaoSetResidualRoutine            (*petsc_table.at_TaoSetResidualRoutine)
#define TaoSetSolution                   (*petsc_table.at_TaoSetSolution)
#define TaoSetTolerances                 (*petsc_table.at_TaoSetTolerances)
#define TaoSetType                       (*petsc_table.at_TaoSetType)
#define TaoSetVariableBounds             (*petsc_table.at_TaoSetVariableBounds)
#define TaoSolve                         (*petsc_table.at_TaoSolve)
#define VecAssemblyBegin                 (*petsc_table.at_VecAssemblyBegin)
#define VecAssemblyEnd                   (*petsc_table.at_VecAssemblyEnd)
#define VecAXPBY                         (*petsc_table.at_VecAXPBY)
#define VecCreateMPI                     (*petsc_table.at_VecCreateMPI)
#define VecCreateMPIWithArray            (*petsc_table.at_VecCreateMPIWithArray)
#define VecCreateSeq                     (*petsc_table.at_VecCreateSeq)
#define VecDestroy                       (*petsc_table.at_VecDestroy)
#define VecDuplicate                     (*petsc_table.at_VecDuplicate)
#define VecGetArray                      (*petsc_table.at_VecGetArray)
#define VecGetArrayRead                  (*petsc_table.at_VecGetArrayRead)
#define VecGetArrayWrite                 (*petsc_table.at_VecGetArrayWrite)
#define VecGetLocalSize                  (*petsc_table.at_VecGetLocalSize)
#define VecPlaceArray                    (*petsc_table.at_VecPlaceArray)
#define VecPointwiseMult                 (*petsc_table.at_VecPointwiseMult)
#define VecResetArray                    (*petsc_table.at_VecResetArray)
#define VecRestoreArray                  (*petsc_table.at_VecRestoreArray)
#define VecRestoreArrayRead              (*petsc_table.at_VecRestoreArrayRead)
#define VecRestoreArrayWrite             (*petsc_table.at_VecRestoreArrayWrite)
#define VecSet                           (*petsc_table.at_VecSet)
#define VecSetOperation                  (*petsc_table.at_VecSetOperation)
#define VecSetValues                     (*petsc_table.at_VecSetValues)
#define PETSC_MPI_THREAD_REQUIRED        (*petsc_table.at_PETSC_MPI_THREAD_REQUIRED)

/* these inline functions of PETSc's headers call functions that are not linked, so macros replace them */
#define MatSetValue(matrix, row, column, value, mode)                                                                  \
  MatSetValues(matrix, 1, &(const PetscInt){row}, 1, &(const PetscInt){column}, &(const PetscScalar){value}, mode)
#define VecSetValue(vector, row, value, mode)                                                                          \
  VecSetValues(vector, 1, &(const PetscInt){row}, &(const PetscScalar){value}, mode)

#endif
