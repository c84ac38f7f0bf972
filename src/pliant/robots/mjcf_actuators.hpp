// Actuators of MJCF on joints. Nobody controls them here, so that their control is zero, or as near
// to it as its range lets it be.
#pragma once

#include <pliant/robots/mjcf_elements.hpp>
#include <pliant/robots/robot.hpp>
#include <pliant/robots/warnings.hpp>

namespace pliant::robots {

void add_mjcf_drives(const XmlElement& root, const MjcfSettings& settings,
                     const MjcfDefaults& defaults, Warnings& warnings, Robot& robot);

}  // namespace pliant::robots
