// Models of bodies whose materials may name laws that a program brings along.
#pragma once

#include <pliant/body/solid.hpp>
#include <pliant/material/batch_law.hpp>

namespace pliant {

// Like make_model of body/solid.hpp. A material whose law is one of `laws` is of that; nothing that
// needs more of a law than energy, stress and tangent goes with it, and is refused.
Model make_model(std::vector<SolidInput> solids, std::span<const Vec3> obstacles,
                 const MakeTerms& make_more, const CustomLaws& laws);

}  // namespace pliant
