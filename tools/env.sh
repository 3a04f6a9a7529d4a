# Source this to have in a shell what make uses: python, urdf-tools, the nodes, colcon.
#
#   . tools/env.sh                 in bash and zsh from anywhere, by its path
#   DISTRO=jazzy; . tools/env.sh   the same with the wheels of another ROS 2
#
# A shell that does not tell where the script is must be in the top folder of the clone.

_urdf_tools=$(CDPATH= cd -- "$(dirname -- "${BASH_SOURCE:-$0}")/.." 2>/dev/null && pwd)
[ -f "$_urdf_tools/tools/env.sh" ] || _urdf_tools=$PWD

if [ -n "${ROS_DISTRO-}" ] && [ -n "${AMENT_PREFIX_PATH-}" ] &&
  [ -z "${_ROS_WHEELS_BOOTSTRAP_COMPLETE-}" ]; then
  # An installed ROS 2 is sourced: add this clone's packages to it.
  COLCON_CURRENT_PREFIX=$_urdf_tools/install
  _urdf_tools=$COLCON_CURRENT_PREFIX/local_setup.${BASH_VERSION:+ba}${ZSH_VERSION:+z}sh
  PATH=$COLCON_CURRENT_PREFIX/urdf_tools/lib/urdf_tools:$PATH
else
  _urdf_tools=$_urdf_tools/.ros/${DISTRO:-kilted}/setup.sh
fi

if [ -f "$_urdf_tools" ]; then
  . "$_urdf_tools"
else
  echo "There is no $_urdf_tools yet; make it with 'make setup'." >&2
fi
unset _urdf_tools COLCON_CURRENT_PREFIX
