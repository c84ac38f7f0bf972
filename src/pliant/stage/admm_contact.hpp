// Contact with obstacles as parts of the local–global solver (BROWN §5.3). What a point of a body
// hits on the way from the step's start becomes a row, a part whose z is the position of the point.
// Its local step keeps the gap to the obstacle's nearest place and, with the normal force f_n that
// this takes, lets the rest slide by Coulomb's law (58)–(60), both in closed form: what is pulled
// by less than μ f_n stays where it is. f_n is new in every iteration, so this is no minimum any
// more, but what it comes to rest at is Coulomb's law.
//
// The side of a row is that of the point before the step, and every z stays on it; a stage is over
// only where no way of a point hits anything. A way that ends outside and still cuts a corner is
// held by the plane through the place where it does. Rows are kept from stage to stage while they
// touch: the global matrix stays the same, and their forces are a good guess. Faces and edges of a
// body between its points are not looked at.
#pragma once

#include <pliant/contact/impacts.hpp>
#include <pliant/stage/contact_rules.hpp>
#include <pliant/stage/stage.hpp>
#include <pliant/term/local_potential.hpp>

namespace pliant {

class AdmmTurns;  // stage/admm_turns.hpp

class AdmmContact final : public LocalPotential {
 public:
  explicit AdmmContact(std::shared_ptr<const ContactRules> rules);

  // At the start of a stage from q_n: keeps the rows that still touch. `before` is q_p, whose rates
  // friction goes by; it must outlive the stage.
  void open(std::span<const double> q, const Vector& before);
  // Adds what else is hit on the way from the step's start to q; true where rows have changed.
  bool find(const StepContext& context, const Vector& q);
  // Does nothing hit anything on the way that `find` last looked at?
  bool clear() const { return clear_; }
  // What goes through what on this way since the place of both is prescribed; empty: nothing.
  const std::string& forced_through() const { return forced_through_; }
  bool empty() const { return rows_.empty(); }
  int pushing() const;  // rows

  // Weights from how easily a point gives way in the global matrix over γq γv: on its own, by the
  // diagonal, and with its body. What is light and stiff would hardly move along what it touches
  // if its rows were as stiff as its material.
  void measure(const NodeMatrix& A, const AdmmTurns& bodies, std::span<const double> rest,
               double scale);
  // A number that changes whenever maps do.
  int version() const { return version_; }
  // From w u of the rows, the first ones where there are more by now.
  void set_forces(std::span<const double> gradient);
  // z on the right side: as before the step, carried along with the obstacles, which are at q.
  void place(std::span<const double> start, std::span<const double> q, std::span<double> z) const;

  LocalMaps local_maps() const override;
  double local_stiffness(std::size_t part, double) const override { return stiffness_[part]; }
  // Of the forces that were kept: what the multipliers begin with.
  void local_gradient(const Configuration& c, LocalRange range, std::span<const double> z,
                      std::span<double> gradient) const override;
  bool local_minimise(const Configuration& c, LocalRange range, std::span<const double> weights,
                      std::span<const double> target, std::span<double> z) const override;

  std::vector<double> memory() const;
  void restore(std::span<const double> memory);

 private:
  struct Row {
    Impact at;                  // a point of a body, then the obstacle
    double least = 0;           // the gap that is kept, m
    bool flat = false;          // the obstacle is taken as the plane at the moment of the hit
    Vec3 force = Vec3::Zero();  // on the point, N
  };
  struct Side {  // of an obstacle at one of its places
    Eigen::Vector4d w;
    Vec3 place, normal;
  };
  Side side(const Row& row, const Vec3& x, std::span<const double> q) const;
  double gap(const Row& row, std::span<const double> q) const;
  bool set_gap(Row& row, std::span<const double> q) const;
  bool round(const Impact& pair) const {
    return !pair.plane && pair.kind != PairKind::point_triangle;
  }
  void find_round(std::span<const double> q);
  bool is_body_point(const Impact& hit) const;

  std::shared_ptr<const ContactRules> rules_;
  ImpactFinder finder_;
  std::vector<Impact> thick_;  // what a point meets of balls and rods, the point left open
  std::vector<Row> rows_;
  std::vector<Impact> hits_;
  std::vector<double> stiffness_;  // N/m
  const Vector* before_ = nullptr;
  Vector dq_;
  bool clear_ = true;
  std::string forced_through_;
  int version_ = 0;
};

}  // namespace pliant
