// What of URDF is read, and what is said of the rest.
#pragma once

#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

inline std::vector<Known> urdf_known() {
  return {{"robot", "name version", "link joint"},
          {"link", "name", "inertial visual collision"},
          {"inertial", "", "origin mass inertia"},
          {"mass", "value", ""},
          {"inertia", "ixx ixy ixz iyy iyz izz", ""},
          {"visual", "name", "origin geometry"},
          {"collision", "name", "origin geometry"},
          {"origin", "xyz rpy", ""},
          {"geometry", "", "box sphere cylinder capsule mesh"},
          {"box", "size", ""},
          {"sphere", "radius", ""},
          {"cylinder", "radius length", ""},
          {"capsule", "radius length", ""},
          {"mesh", "filename scale", ""},
          {"joint", "name type", "origin parent child axis limit dynamics"},
          {"parent", "link", ""},
          {"child", "link", ""},
          {"axis", "xyz", ""},
          {"limit", "lower upper", ""},
          {"dynamics", "damping", ""}};
}

inline std::vector<Reason> urdf_reasons() {
  return {{"material", "is left out: scenes have no colours"},
          {"mimic", "is left out: the joint moves on its own"},
          {"transmission", "is left out: scenes have no controllers"},
          {"gazebo", "is left out: it is for Gazebo alone"},
          {"mujoco", "is left out: it is for MuJoCo alone"},
          {"safety_controller", "is left out: scenes have no controllers"},
          {"calibration", "is left out: there is nothing to calibrate"},
          {"sensor", "is left out; probes record points and forces"},
          {"limit@effort", "is left out: nothing drives the joint; \"motor\" and its \"max\" do"},
          {"limit@velocity", "is left out: joints are as fast as they come"},
          {"dynamics@friction", "is left out: joints turn without friction"}};
}

}  // namespace pliant::robots
