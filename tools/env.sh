# Source this to have in a shell what make uses: python, urdf-tools, the nodes, colcon.
#
#   . tools/env.sh                 in bash and zsh from anywhere, by its path
#   DISTRO=jazzy; . tools/env.sh   the same with the wheels of another ROS 2
#
# A shell that does not tell where the script is must be in the top folder of the clone.

_urdf_tools=$(CDPATH= cd -- "$(dirname -- "${BASH_SOURCE:-$0}")/.." 2>/dev/null && pwd)
[ -f "$_urdf_tools/tools/env.sh" ] || _urdf_tools=$PWD

# Whether ROS 2 from elsewhere is sourced; tools/set_up.py decides alike.
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
  echo "There is no $_urdf_tools; make it with 'make setup'." >&2
  unset _urdf_tools _urdf_tools_ros COLCON_CURRENT_PREFIX
  return 1
fi
. "$_urdf_tools"
unset _urdf_tools _urdf_tools_ros COLCON_CURRENT_PREFIX
