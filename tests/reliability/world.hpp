// A scene built: the system with contact and friction as a run builds it, and its start.
#pragma once

#include <pliant/contact/friction_term.hpp>
#include <pliant/stage/contact_rules.hpp>
#include <reliability/contact_method.hpp>
#include <reliability/spec.hpp>

namespace pliant::reliability {

class World {
 public:
  // Seed 0 starts as the scene says; others jitter it.
  World(const SceneSpec& spec, double mu, unsigned seed,
        ContactMethod method = ContactMethod::barrier);

  const System& system() const { return *model_.system; }
  const Model& model() const { return model_; }
  const SceneSpec& spec() const { return spec_; }
  const State& start() const { return start_; }
  // Start from where another world of the same scene has come to rest, with the scene's velocities.
  void start_from(const State& rest);
  double diagonal() const { return diagonal_; }  // m, of the box around all bodies
  ContactMethod method() const { return method_; }
  // Of methods that are no term of the system; null with a barrier.
  const std::shared_ptr<const ContactRules>& rules() const { return rules_; }
  Index first_wall_node(std::size_t wall) const { return wall_nodes_[wall]; }

  // Is nothing outside at work: no weight, nothing held or in the way?
  bool is_free() const;
  bool is_driven() const;  // does anything prescribed move?
  bool has_motors() const;

  Vec3 center(const State& state, std::size_t body) const;    // of its nodes' masses
  Vec3 velocity(const State& state, std::size_t body) const;  // likewise
  double volume(const State& state, std::size_t body) const;
  std::optional<double> smallest_gap(const State& state) const;  // m, of what is near
  // The force of all contact and friction on a body, N; admm does not tell.
  Vec3 contact_force(const State& state, std::size_t body) const;
  double lowest(const State& state, std::size_t body) const;  // y of its surface
  // The largest miss of an equation of the ties: m, and of directions rad.
  double largest_miss(const State& state) const;

 private:
  void add_grips();
  void add_walls();
  void add_ties();
  void add_contact(double mu);
  ContactSurface make_surface_of_contact() const;
  void set_velocities();
  void jitter(unsigned seed);
  Vec3 mean(std::span<const double> x, std::size_t body) const;

  SceneSpec spec_;
  ContactMethod method_;
  Model model_;
  std::shared_ptr<const ContactRules> rules_;
  State start_;
  double diagonal_ = 0;
  std::vector<Index> wall_nodes_;
};

}  // namespace pliant::reliability
