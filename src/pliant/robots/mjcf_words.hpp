// What of MJCF is read, and what is said of the rest.
#pragma once

#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

inline std::vector<Known> mjcf_known() {
  return {
      {"mujoco", "model", "compiler option default asset worldbody actuator contact"},
      {"compiler",
       "angle eulerseq meshdir assetdir autolimits inertiafromgeom strippath coordinate", ""},
      {"option", "timestep gravity", ""},
      {"default", "class", "default geom joint mesh position velocity site"},
      {"worldbody", "", "geom site body frame"},
      {"frame", "name class childclass pos quat axisangle xyaxes zaxis euler",
       "geom site body frame joint freejoint"},
      {"body", "name childclass pos quat axisangle xyaxes zaxis euler",
       "inertial joint freejoint geom site body frame"},
      {"inertial", "pos quat axisangle xyaxes zaxis euler mass diaginertia fullinertia", ""},
      {"joint", "name class type pos axis range limited ref damping stiffness springref", ""},
      {"freejoint", "name", ""},
      {"geom",
       "name class type contype conaffinity size density mass fromto pos quat axisangle xyaxes "
       "zaxis euler mesh friction",
       ""},
      {"site", "name class pos quat axisangle xyaxes zaxis euler fromto", ""},
      {"asset", "", "mesh"},
      {"mesh", "name class file scale", ""},
      {"actuator", "", "position velocity"},
      {"position", "name class joint kp kv gear ctrlrange ctrllimited forcerange forcelimited", ""},
      {"velocity", "name class joint kv gear ctrlrange ctrllimited forcerange forcelimited", ""},
      {"contact", "", "exclude"},
      {"exclude", "name body1 body2", ""}};
}

inline std::vector<Reason> mjcf_reasons() {
  constexpr std::string_view no_colours = "is left out: scenes have no colours";
  constexpr std::string_view a_point = "is left out: a site is a point";
  constexpr std::string_view soft = "is left out: contact and limits do not yield";
  return {{"material", no_colours},
          {"texture", no_colours},
          {"skin", no_colours},
          {"geom@material", no_colours},
          {"geom@rgba", no_colours},
          {"geom@group", "is left out: contype and conaffinity say what touches"},
          {"geom@solref", soft},
          {"geom@solimp", soft},
          {"geom@margin", soft},
          {"joint@solreflimit", soft},
          {"joint@solimplimit", soft},
          {"joint@margin", soft},
          {"geom@condim", "is left out: friction is Coulomb's, along both directions"},
          {"joint@armature", "is left out: joints have no inertia of their own"},
          {"joint@frictionloss", "is left out: joints turn without friction"},
          {"site@size", a_point},
          {"site@type", a_point},
          {"site@rgba", a_point},
          {"site@group", a_point},
          {"site@material", a_point},
          {"camera", "is left out; \"camera\" in the scene says where pictures are taken from"},
          {"light", "is left out: pictures have a light of their own"},
          {"visual", "is left out: it is for MuJoCo's pictures"},
          {"statistic", "is left out: it is for MuJoCo's pictures"},
          {"size", "is left out: it is about MuJoCo's memory"},
          {"sensor", "is left out; probes record points and forces"},
          {"tendon", "is left out: nothing pulls there"},
          {"equality", "is left out: what it ties together is free; \"constraints\" can tie it"},
          {"keyframe", "is left out: the start is that of the description"},
          {"pair", "is left out: contype and conaffinity alone say what touches"},
          {"motor",
           "is left out: it turns a joint by what a controller says, and there is none; \"motor\" "
           "of a constraint drives it"},
          {"general", "is left out; position and velocity actuators of joints are read"}};
}

}  // namespace pliant::robots
