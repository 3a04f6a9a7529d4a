# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

#
# Add a test of the robot descriptions in this package.
#
# The test runs 'urdf-tools check', which reads the settings of the package from urdf-tools.toml;
# arguments override or extend them.
#
# :param ARGN: files and folders to check, before the other arguments; default: the folder of the
#   CMakeLists.txt
# :type ARGN: list of strings
# :param TESTNAME: name of the test, default: "urdf_tools"
# :type TESTNAME: string
# :param CONFIG: file with the settings, instead of urdf-tools.toml
# :type CONFIG: string
# :param LEVEL: lowest severity to show: info, warn or error
# :type LEVEL: string
# :param ALLOW_NONE: pass if there is no description
# :type ALLOW_NONE: option
# :param STRICT: let the test fail on warnings, too
# :type STRICT: option
# :param EXCLUDE: files and folders not to check
# :type EXCLUDE: list of strings
# :param FOR: report only what affects these programs
# :type FOR: list of strings
# :param SELECT: apply only these rules and categories
# :type SELECT: list of strings
# :param IGNORE: do not apply these rules and categories
# :type IGNORE: list of strings
# :param TIMEOUT: time limit in seconds, default: that of ament_add_test()
# :type TIMEOUT: integer
#
# @public
#
function(urdf_tools_lint)
  cmake_parse_arguments(
    ARG "ALLOW_NONE;STRICT" "CONFIG;LEVEL;TESTNAME;TIMEOUT" "EXCLUDE;FOR;IGNORE;SELECT" ${ARGN})
  if(ARG_KEYWORDS_MISSING_VALUES AND NOT ARG_KEYWORDS_MISSING_VALUES STREQUAL "EXCLUDE")
    message(FATAL_ERROR
      "urdf_tools_lint() was called without a value for: ${ARG_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT ARG_TESTNAME)
    set(ARG_TESTNAME "urdf_tools")
  endif()
  if(NOT ARG_UNPARSED_ARGUMENTS)
    set(ARG_UNPARSED_ARGUMENTS ".")
  endif()

  find_program(URDF_TOOLS_EXECUTABLE NAMES "urdf-tools")
  if(NOT URDF_TOOLS_EXECUTABLE)
    message(FATAL_ERROR
      "urdf_tools_lint() did not find the program 'urdf-tools' of the package 'urdf_tools'")
  endif()

  set(result_file "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/${ARG_TESTNAME}.xunit.xml")
  set(command "${URDF_TOOLS_EXECUTABLE}" "check" "--output" "junit=${result_file}")
  foreach(option IN ITEMS CONFIG LEVEL)
    if(ARG_${option})
      string(TOLOWER "${option}" name)
      list(APPEND command "--${name}" "${ARG_${option}}")
    endif()
  endforeach()
  foreach(option IN ITEMS EXCLUDE FOR IGNORE SELECT)
    string(TOLOWER "${option}" name)
    foreach(value IN LISTS ARG_${option})
      list(APPEND command "--${name}" "${value}")
    endforeach()
  endforeach()
  if(ARG_STRICT)
    list(APPEND command "--strict")
  endif()
  if(ARG_ALLOW_NONE)
    list(APPEND command "--allow-none")
  endif()
  list(APPEND command "--" ${ARG_UNPARSED_ARGUMENTS})

  set(timeout "")
  if(ARG_TIMEOUT)
    set(timeout TIMEOUT "${ARG_TIMEOUT}")
  endif()
  ament_add_test(
    "${ARG_TESTNAME}"
    COMMAND ${command}
    OUTPUT_FILE "${CMAKE_BINARY_DIR}/urdf_tools/${ARG_TESTNAME}.txt"
    RESULT_FILE "${result_file}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    ${timeout}
  )
  set_tests_properties("${ARG_TESTNAME}" PROPERTIES LABELS "urdf_tools;linter")
endfunction()
