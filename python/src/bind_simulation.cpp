#include "body.hpp"
#include "json.hpp"
#include "module.hpp"
#include "readings.hpp"
#include "simulation.hpp"

#include <pliant/core/error.hpp>
#include <pliant/run/contact_force.hpp>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace pliant::python {
namespace {

// What a simulation carries, as bytes that are whole or refused.
struct SavedState : OnlyByInit {
  explicit SavedState(Checkpoint checkpoint) : checkpoint(std::move(checkpoint)) {}
  Checkpoint checkpoint;

  py::bytes bytes() const {
    const std::vector<std::byte> all = encode_checkpoint(checkpoint);
    return {reinterpret_cast<const char*>(all.data()), all.size()};
  }
  static std::shared_ptr<SavedState> from(const py::bytes& bytes) {
    const std::string_view all(bytes);
    return std::make_shared<SavedState>(
        decode_checkpoint(std::as_bytes(std::span(all)), "the state"));
  }
};

void bind_state(py::module_& m) {
  const auto array = [](const char* name) {
    return [name](const SavedState& state) {
      const std::vector<double>& x = state.checkpoint.array(name);
      return copy_of(x, {static_cast<py::ssize_t>(x.size())});
    };
  };
  py::class_<SavedState, std::shared_ptr<SavedState>>(m, "State")
      .def_property_readonly("time",
                             [](const SavedState& s) { return s.checkpoint.array("t").at(0); })
      .def_property_readonly("steps",
                             [](const SavedState& s) { return s.checkpoint.integer("step"); })
      .def_property_readonly("q", array("q"))
      .def_property_readonly("v", array("v"))
      .def("__eq__",
           [](const SavedState& a, const py::object& b) {
             return py::isinstance<SavedState>(b) &&
                    a.checkpoint == py::cast<const SavedState&>(b).checkpoint;
           })
      .def(py::pickle([](const SavedState& state) { return state.bytes(); }, &SavedState::from));
}

// What a step took.
struct Report : OnlyByInit {
  Report(StepReport step, double seconds) : step(std::move(step)), seconds(seconds) {}
  StepReport step;
  double seconds;  // wall time
};

void bind_report(py::module_& m) {
  const auto count = [](int StepReport::*number) {
    return [number](const Report& report) { return report.step.*number; };
  };
  py::class_<Report, std::shared_ptr<Report>>(m, "Report")
      .def_property_readonly("newton", count(&StepReport::newton))
      .def_property_readonly("linear", [](const Report& r) { return r.step.linear; })
      .def_property_readonly("factorizations", count(&StepReport::factorizations))
      .def_property_readonly("projections", count(&StepReport::projections))
      .def_property_readonly("retries", count(&StepReport::retries))
      .def_property_readonly("redone", count(&StepReport::redone))
      .def_property_readonly("contacts", count(&StepReport::contacts))
      .def_property_readonly("unconverged", count(&StepReport::unconverged))
      .def_property_readonly("seconds", [](const Report& r) { return r.seconds; })
      .def("__repr__", [](const Report& r) {
        return fmt::format("<pliant.Report: newton {}, linear {}, retries {}>", r.step.newton,
                           r.step.linear, r.step.retries);
      });
}

py::array shown_array(const std::shared_ptr<Shown>& shown, std::vector<double>& x,
                      std::vector<py::ssize_t> shape) {
  return array_over(x.data(), std::move(shape), capsule_of(shown), true);
}

// Nodes of meshes: all but those that lead rigid bodies and frames, and those of obstacles.
py::ssize_t mesh_nodes(const BuiltScene& built) { return built.model.bodies.back().end_node(); }

void write(Simulation& simulation, std::vector<double>& x, const py::object& values,
           const char* name) {
  py::array flat = py::array::ensure(values);
  if (!flat) throw InputError(fmt::format("{} must be numbers, got a {}", name, class_of(values)));
  const Numbers numbers =
      numbers_of(flat.reshape({flat.size()}), {static_cast<py::ssize_t>(x.size())}, name);
  require_finite({numbers.data(), x.size()}, name);
  (void)simulation.built();
  std::copy(numbers.data(), numbers.data() + x.size(), x.begin());
}

using Class = py::class_<Simulation, std::shared_ptr<Simulation>>;

void bind_motion(Class& c) {
  c.def(py::init([](const std::shared_ptr<PreparedScene>& scene, const py::object& threads) {
     return std::make_shared<Simulation>(scene, threads_of(threads));
   }))
      .def("step",
           [](Simulation& s, std::int64_t count) {
             StepReport report = s.step(count);
             return std::make_shared<Report>(std::move(report), s.seconds());
           })
      .def("advance",
           [](Simulation& s, double t) {
             StepReport report = s.advance(t);
             return std::make_shared<Report>(std::move(report), s.seconds());
           })
      .def("change", [](Simulation& s, const std::string& path,
                        const py::object& value) { s.change(path, to_json(value, path)); })
      .def("close", &Simulation::close)
      .def_property(
          "state", [](Simulation& s) { return std::make_shared<SavedState>(s.save()); },
          [](Simulation& s, const SavedState& state) { s.restore(state.checkpoint); })
      .def_property_readonly("time", [](Simulation& s) { return s.shown()->t; })
      .def_property_readonly("steps", [](Simulation& s) { return s.shown()->step; })
      .def_property_readonly("hash", [](Simulation& s) {
        return s.with([](const BuiltScene&, const State& state) {
          return state_hash(view(state.q), view(state.v));
        });
      });
}

void bind_arrays(Class& c) {
  const auto flat = [](std::vector<double> Shown::*x) {
    return [x](Simulation& s) {
      std::vector<double>& all = (*s.shown()).*x;
      return shown_array(s.shown(), all, {static_cast<py::ssize_t>(all.size())});
    };
  };
  const auto by_node = [](std::vector<double> Shown::*x) {
    return [x](Simulation& s) {
      return shown_array(s.shown(), (*s.shown()).*x, {mesh_nodes(*s.built()), 3});
    };
  };
  c.def_property("q", flat(&Shown::q),
                 [](Simulation& s, const py::object& x) { write(s, s.shown()->q, x, "q"); })
      .def_property("v", flat(&Shown::v),
                    [](Simulation& s, const py::object& x) { write(s, s.shown()->v, x, "v"); })
      .def_property_readonly("positions", by_node(&Shown::q))
      .def_property_readonly("velocities", by_node(&Shown::v))
      .def_property_readonly(
          "accelerations",
          [](Simulation& s) { return copy_of_nodes(view(s.with(acceleration_of))); })
      .def_property_readonly("free",
                             [](Simulation& s) {
                               const auto free = s.with(free_coordinates);
                               py::array_t<bool> out(static_cast<py::ssize_t>(free.size()));
                               std::copy(free.begin(), free.end(), out.mutable_data());
                               return out;
                             })
      .def_property_readonly("bodies", [](Simulation& s) {
        py::dict out;
        for (std::size_t k = 0; k < s.built()->model.bodies.size(); ++k)
          out[py::str(s.built()->model.bodies[k].name)] =
              std::make_shared<BodyView>(s.built(), s.shown(), k);
        return out;
      });
}

void bind_readings(Class& c) {
  c.def("forces",
        [](Simulation& s, const std::string& term) {
          const Vector f = s.with([&](const BuiltScene& built, const State& state) {
            return force_of(built, state, term);
          });
          return copy_of_nodes(view(f));
        })
      .def_property_readonly("terms", [](Simulation& s) { return term_names(*s.built()); })
      .def("energies",
           [](Simulation& s) {
             return to_python(s.with([](const BuiltScene& built, const State& state) {
               return built.model.system->energies(at(state));
             }));
           })
      .def("energy_ledger",
           [](Simulation& s) {
             return to_python(
                 s.with([&](const BuiltScene&, const State&) { return s.ledger().sums(); }));
           })
      .def("momentum",
           [](Simulation& s) {
             const Momentum p = s.with([](const BuiltScene& built, const State& state) {
               return built.model.system->momentum(view(state.q), view(state.v));
             });
             return py::make_tuple(copy_of({p.linear.data(), 3}, {3}),
                                   copy_of({p.angular.data(), 3}, {3}));
           })
      .def("contacts", [](Simulation& s) { return to_python(s.with(contacts_of)); })
      .def("contact_forces",
           [](Simulation& s) {
             const Vector f = s.with([](const BuiltScene& built, const State& state) {
               Vector force = contact_force(*built.model.system, state);
               return force.size() > 0 ? force : Vector(Vector::Zero(state.q.size()));
             });
             return copy_of_nodes(view(f));
           })
      .def("constraint_forces",
           [](Simulation& s) {
             const Vector f = s.with([](const BuiltScene& built, const State& state) {
               Vector force = constraint_force(*built.model.system, state);
               return force.size() > 0 ? force : Vector(Vector::Zero(state.q.size()));
             });
             return copy_of_nodes(view(f));
           })
      .def("multipliers", [](Simulation& s) { return to_python(s.with(constraint_rows)); })
      .def("probes", [](Simulation& s) { return to_python(s.with(probe_values)); });
}

// (coordinates, columns)
py::array columns_of(const Matrix& A) {
  return py::array_t<double>({A.rows(), A.cols()}, {py::ssize_t{8}, 8 * A.rows()}, A.data());
}

void bind_matrices(Class& c) {
  const auto matrix = [](Derivative derivative) {
    return [derivative](Simulation& s) {
      return to_python(s.with([derivative](const BuiltScene& built, const State& state) {
        return matrix_of(built, state, derivative);
      }));
    };
  };
  const auto low_rank = [](Derivative derivative) {
    return [derivative](Simulation& s) {
      const LowRank part = s.with([derivative](const BuiltScene& built, const State& state) {
        return low_rank_of(built, state, derivative);
      });
      return py::make_tuple(columns_of(part.Y), columns_of(part.Z));
    };
  };
  c.def("mass",
        [](Simulation& s) {
          return to_python(
              s.with([](const BuiltScene& built, const State&) { return mass_of(built); }));
        })
      .def("stiffness", matrix(Derivative::stiffness))
      .def("damping", matrix(Derivative::damping))
      .def("_stiffness_columns", low_rank(Derivative::stiffness))
      .def("_damping_columns", low_rank(Derivative::damping))
      .def("modes", [](Simulation& s, Index count) {
        const Modes modes = s.with([&](const BuiltScene& built, const State& state) {
          return modes_of(built, state, count, [&s] { return s.signals().ask(); });
        });
        s.signals().rethrow();
        return to_python(modes);
      });
}

}  // namespace

void bind_simulation(py::module_& m) {
  bind_state(m);
  bind_report(m);
  Class c(m, "Simulation");
  bind_motion(c);
  bind_arrays(c);
  bind_readings(c);
  bind_matrices(c);
}

}  // namespace pliant::python
