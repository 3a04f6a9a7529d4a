# Source this to give a shell the environment of make: python, urdf-tools, the nodes, colcon.
#
#   . tools/env.sh                 bash and zsh, from any folder
#   DISTRO=jazzy; . tools/env.sh   the same with ROS 2 Jazzy from wheels
#
# Other shells do not tell a sourced script its path: change to the top folder of the clone first.

_urdf_tools=$(CDPATH= cd -- "$(dirname -- "${BASH_SOURCE:-$0}")/.." 2>/dev/null && pwd)
[ -f "$_urdf_tools/tools/env.sh" ] || _urdf_tools=$PWD

# Whether a ROS 2 from outside the clone is sourced; tools/set_up.py decides the same.
_urdf_tools_ros=$(printf '%s\n' "${AMENT_PREFIX_PATH-}" | tr : '\n' | while IFS= read -r prefix; do
  case $prefix in
    "$_urdf_tools"/.ros/*) ;;
    *) if [ -d "$prefix/share/tf2_msgs" ]; then echo yes; fi ;;
  esac
done)

if [ -n "$_urdf_tools_ros" ]; then
  COLCON_CURRENT_PREFIX=$_urdf_tools/install
  PATH=$COLCON_CURRENT_PREFIX/urdf_tools/lib/urdf_tools:$PATH
  _urdf_tools=$COLCON_CURRENT_PREFIX/local_setup.${BASH_VERSION:+ba}${ZSH_VERSION:+z}sh
else
  _urdf_tools=$_urdf_tools/.ros/${DISTRO:-kilted}/setup.sh
fi

if [ ! -f "$_urdf_tools" ]; then
  echo "$_urdf_tools does not exist; run 'make setup' first." >&2
  unset _urdf_tools _urdf_tools_ros COLCON_CURRENT_PREFIX
  return 1
fi
. "$_urdf_tools"
unset _urdf_tools _urdf_tools_ros COLCON_CURRENT_PREFIX
