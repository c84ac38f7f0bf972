// How far below what stands lowest the ground is drawn, of the size of the picture's world. What
// lies flat there would else be in one place with the ground, and chance would decide triangle by
// triangle which of the two is seen.
#pragma once

namespace pliant {

inline constexpr double kBelowLowest = 2e-3;

}  // namespace pliant
