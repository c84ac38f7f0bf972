// A body of a simulation as Python holds it; it keeps what it shows alive.
#pragma once

#include "simulation.hpp"

namespace pliant::python {

struct BodyView : OnlyByInit {
  BodyView(std::shared_ptr<BuiltScene> built, std::shared_ptr<Shown> shown, std::size_t number)
      : built(std::move(built)), shown(std::move(shown)), number(number) {}

  std::shared_ptr<BuiltScene> built;
  std::shared_ptr<Shown> shown;
  std::size_t number = 0;
  const Body& body() const { return built->model.bodies[number]; }
};

}  // namespace pliant::python
