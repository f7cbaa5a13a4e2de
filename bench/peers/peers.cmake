# SPDX-License-Identifier: BSD-2-Clause
# The simulators that bench-peers compares: each is left out where its package is not installed.
enable_language(CXX)
stiction_bench_program(peers peers/peers.c peers/motions.c peers/peer_stiction.c)
set_target_properties(bench-peers PROPERTIES LINKER_LANGUAGE CXX CXX_STANDARD 17)

# stiction_peer(NAME FILE HEADER FOLDERS.. LIBRARIES.. [VERSION_OF PACKAGE]): adds a simulator if its header is there.
function(stiction_peer name file)
  cmake_parse_arguments(peer "" "HEADER;VERSION_OF" "FOLDERS;LIBRARIES" ${ARGN})
  find_path(STICTION_PEER_${name}_FOLDER ${peer_HEADER} PATHS ${peer_FOLDERS})
  if(NOT STICTION_PEER_${name}_FOLDER)
    message(STATUS "bench-peers without ${name}: ${peer_HEADER} is not there")
    return()
  endif()
  target_sources(bench-peers PRIVATE peers/${file})
  target_compile_definitions(bench-peers PRIVATE BENCH_${name})
  target_link_libraries(bench-peers PRIVATE ${peer_LIBRARIES})
  # Their headers are not held to this project's warnings; Simbody's classes differ with NDEBUG from those of its package.
  set_source_files_properties(peers/${file} PROPERTIES COMPILE_OPTIONS "-w;-UNDEBUG")
  foreach(folder ${peer_FOLDERS})
    set_property(SOURCE peers/${file} APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})
  endforeach()
  if(peer_VERSION_OF)
    execute_process(COMMAND dpkg-query -W -f "\${source:Upstream-Version}" ${peer_VERSION_OF} OUTPUT_VARIABLE version ERROR_QUIET)
    set_property(SOURCE peers/${file} APPEND PROPERTY COMPILE_DEFINITIONS "BENCH_${name}_VERSION=\"${version}\"")
  endif()
endfunction()

stiction_peer(CVODE peer_cvode.c HEADER cvode/cvode.h
              LIBRARIES sundials_cvode sundials_nvecserial sundials_sunlinsoldense sundials_sunmatrixdense sundials_generic)
stiction_peer(MUJOCO peer_mujoco.c HEADER mujoco/mujoco.h LIBRARIES mujoco)
stiction_peer(SICONOS peer_siconos.cpp HEADER siconos/SiconosConfig.h VERSION_OF libsiconos-kernel-dev
              FOLDERS /usr/include/siconos /usr/include/siconos/kernel /usr/include/siconos/numerics LIBRARIES siconos_kernel siconos_numerics)
stiction_peer(DART peer_dart.cpp HEADER dart/dart.hpp FOLDERS /usr/include/eigen3 LIBRARIES dart assimp)
stiction_peer(SIMBODY peer_simbody.cpp HEADER Simbody.h FOLDERS /usr/include/simbody LIBRARIES SimTKsimbody SimTKmath SimTKcommon)
stiction_peer(ODE peer_ode.c HEADER ode/ode.h VERSION_OF libode-dev LIBRARIES ode)
stiction_peer(BULLET peer_bullet.cpp HEADER btBulletDynamicsCommon.h FOLDERS /usr/include/bullet LIBRARIES BulletDynamics BulletCollision LinearMath)
if(STICTION_TESTS)
  add_test(NAME bench_peers COMMAND bench-peers --quick)
endif()
