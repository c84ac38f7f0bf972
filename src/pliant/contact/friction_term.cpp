#include <pliant/contact/friction_term.hpp>

#include <pliant/contact/friction_law.hpp>

#include <algorithm>

namespace pliant {

FrictionTerm::FrictionTerm(const BarrierTerm& barrier, FrictionCoefficients mu,
                           FrictionOptions options)
    : barrier_(barrier), finder_(barrier, std::move(mu), options.has_loss()), options_(options) {}

const FrictionSet* FrictionTerm::active(const Configuration& c) const {
  if (c.friction) return c.friction;
  return c.step ? c.step->friction.get() : nullptr;
}

double FrictionTerm::epsilon(const FrictionSet& set) const {
  return std::max(set.epsilon, options_.epsilon);
}

Vec3 FrictionTerm::argument(const Configuration& c, const FrictionSet& set,
                            const FrictionContact& contact) const {
  if (!options_.stick) return contact.across(contact.relative(c.v));
  return contact.slip + contact.across(contact.relative(c.q) - contact.relative(view(set.q)));
}

double FrictionTerm::value(const Configuration& c) const {
  const FrictionSet* set = active(c);
  if (!set) return 0;
  double sum = 0;
  for (const FrictionContact& contact : set->contacts)
    sum += contact.force * friction_potential(argument(c, *set, contact).norm(), epsilon(*set));
  return sum;
}

double FrictionTerm::lost(const Configuration& c) const {
  const FrictionSet* set = active(c);
  if (!set || !options_.has_loss()) return 0;
  double sum = 0;
  for (const FrictionContact& contact : set->contacts)
    sum += options_.loss() * contact.pressed *
           friction_potential(std::abs(contact.opening(c.v)), options_.rebound_speed);
  return sum;
}

double FrictionTerm::rebound(const Configuration& c) const {
  FrictionSet now;
  ContactSet own;
  finder_.find(barrier_.contacts(c, own), c.q, now);
  double fastest = 0;
  for (const FrictionContact& contact : now.contacts)
    if (contact.pressed > 0) fastest = std::max(fastest, contact.opening(c.v));
  return fastest;
}

double FrictionTerm::potential(const Configuration& c) const {
  return options_.stick ? value(c) : 0;
}
double FrictionTerm::dissipation(const Configuration& c) const {
  return (options_.stick ? 0 : value(c)) + lost(c);
}

void FrictionTerm::add_force(const Configuration& c, std::span<double> f) const {
  const FrictionSet* set = active(c);
  if (!set) return;
  for (const FrictionContact& contact : set->contacts) {
    Vec3 drag = contact.force * friction_direction(argument(c, *set, contact), epsilon(*set));
    if (options_.has_loss())
      drag += options_.loss() * contact.pressed *
              friction_direction(contact.opening(c.v) * contact.normal, options_.rebound_speed);
    for (int i = 0; i < 4; ++i)
      if (contact.weights[i] != 0)
        node(f, contact.nodes[static_cast<std::size_t>(i)]) -= contact.weights[i] * drag;
  }
}

// Of s over the speed; projected the secant, as for friction.
double FrictionTerm::rebound_slope(double speed, Projection projection) const {
  const double x = std::abs(speed), epsilon = options_.rebound_speed, r = x / epsilon;
  if (projection == Projection::psd) return r < 1 ? (2 - r) / epsilon : 1 / x;
  return r < 1 ? 2 * (1 - r) / epsilon : 0;
}

Mat3 FrictionTerm::derivative(const FrictionSet& set, const FrictionContact& contact, const Vec3& y,
                              Projection projection) const {
  if (set.with_directions)
    return friction_derivative(y, contact.direction, contact.normal, epsilon(set));
  return projection == Projection::psd ? friction_secant(y, contact.normal, epsilon(set))
                                       : friction_derivative(y, contact.normal, epsilon(set));
}

void FrictionTerm::change_directions(const Configuration& from, const Configuration& to,
                                     double part, FrictionSet& set) const {
  for (FrictionContact& contact : set.contacts) {
    const Vec3 y = argument(from, set, contact), dy = argument(to, set, contact) - y;
    contact.direction = next_friction_direction(y, contact.direction, dy, part, epsilon(set));
  }
}

void FrictionTerm::add_tangent(const Configuration& c, Tangent tangent, BlockMatrix& A) const {
  const FrictionSet* set = active(c);
  const double scale = options_.stick ? tangent.stiffness : tangent.damping;
  if (!set || (scale == 0 && !options_.has_loss())) return;
  for (const FrictionContact& contact : set->contacts) {
    const Vec3 y = argument(c, *set, contact);
    Mat3 H = scale * contact.force * derivative(*set, contact, y, tangent.projection);
    if (options_.has_loss())
      H += tangent.damping * options_.loss() * contact.pressed *
           rebound_slope(contact.opening(c.v), tangent.projection) * contact.normal *
           contact.normal.transpose();
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        if (contact.weights[i] == 0 || contact.weights[j] == 0) continue;
        add_contact_block(barrier_.surface(), contact.nodes[static_cast<std::size_t>(i)],
                          contact.nodes[static_cast<std::size_t>(j)],
                          contact.weights[i] * contact.weights[j] * H, A);
      }
  }
}

void FrictionTerm::find_stops(const Configuration& c, std::span<const double> change,
                              std::vector<double>& parts) const {
  const FrictionSet* set = active(c);
  if (!set) return;
  for (const FrictionContact& contact : set->contacts) {
    const Vec3 y = argument(c, *set, contact), dy = contact.across(contact.relative(change));
    if (y.norm() > epsilon(*set) && y.dot(dy) < 0) parts.push_back(-y.dot(dy) / dy.squaredNorm());
  }
}

std::shared_ptr<const FrictionSet> FrictionTerm::open_step(const FrictionSet* last,
                                                           const Configuration& start,
                                                           double h) const {
  auto set = std::make_shared<FrictionSet>();
  ContactSet own;
  finder_.find(barrier_.contacts(start, own), start.q, *set);
  set->q = as_vector(start.q);
  if (!options_.stick) return set;
  for (FrictionContact& contact : set->contacts) {
    const Vec3 way = h * contact.across(contact.relative(start.v));
    if (way.norm() > options_.epsilon) contact.slip = options_.epsilon * way.normalized();
  }
  if (last) carry_slip(*last, options_.epsilon, *set);
  return set;
}

void FrictionTerm::lag_at(const Configuration& c, const FrictionSet& step, FrictionSet& out) const {
  ContactSet own;
  finder_.find(barrier_.contacts(c, own), c.q, out);
  out.q = step.q;
  out.epsilon = 0;
  if (options_.stick) carry_slip(step, options_.epsilon, out);
}

}  // namespace pliant
