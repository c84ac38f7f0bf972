#include <pliant/constraint/joints.hpp>

#include <array>
#include <utility>

namespace pliant {
namespace {

constexpr std::array<std::pair<std::string_view, JointType>, 5> kNames = {
    {{"ball", JointType::ball},
     {"hinge", JointType::hinge},
     {"universal", JointType::universal},
     {"fixed", JointType::fixed},
     {"slider", JointType::slider}}};

LinearForm place(const JointEnd& end) {
  return end.point.count > 0 ? LinearForm(end.point) : LinearForm(end.world);
}

template <class Row>
Row driven(Row row, const Motor& motor) {
  row.bounds = {-motor.most, motor.most};
  row.target = motor.target;
  row.compliance = motor.compliance;
  row.relaxation = motor.compliance * motor.damping;
  return row;
}

// The angle between limits: away from the lower one, and from the upper one.
void add_angle_rows(const Joint& joint, JointRows& rows) {
  const AngleRow angle{.name = joint.name, .u = joint.a.t, .c = joint.b.t, .s = joint.b.s};
  if (joint.limits) {
    const auto [least, most] = *joint.limits;
    for (const double sign : {1.0, -1.0}) {
      AngleRow row = angle;
      row.sign = sign, row.centre = 0.5 * (least + most), row.offset = 0.5 * (most - least);
      row.bounds = MultiplierBounds::pushes();
      rows.angle.push_back(row);
    }
  }
  if (joint.motor) {
    const bool by_speed = joint.motor->by_speed;
    (by_speed ? rows.angle_rates : rows.angle).push_back(driven(angle, *joint.motor));
  }
}

void add_way_rows(const Joint& joint, JointRows& rows) {
  const DotRow way{.name = joint.name, .u = place(joint.a) - place(joint.b), .w = joint.b.axis};
  if (joint.limits) {
    DotRow least = way, most = way;
    least.rest = (*joint.limits)[0], least.bounds = MultiplierBounds::pushes();
    most.u = -way.u, most.rest = -(*joint.limits)[1], most.bounds = MultiplierBounds::pushes();
    rows.dot.push_back(least);
    rows.dot.push_back(most);
  }
  if (joint.motor) {
    const bool by_speed = joint.motor->by_speed;
    (by_speed ? rows.dot_rates : rows.dot).push_back(driven(way, *joint.motor));
  }
}

}  // namespace

std::optional<JointType> find_joint(std::string_view name) {
  for (const auto& [known, type] : kNames)
    if (known == name) return type;
  return std::nullopt;
}

std::vector<std::unique_ptr<Constraint>> make_batches(JointRows rows) {
  std::vector<std::unique_ptr<Constraint>> out;
  if (!rows.linear.empty())
    out.push_back(std::make_unique<LinearConstraints>(std::move(rows.linear)));
  if (!rows.dot.empty()) out.push_back(std::make_unique<DotConstraints>(rows.dot));
  if (!rows.dot_rates.empty())
    out.push_back(std::make_unique<DotConstraints>(rows.dot_rates, About::rates));
  if (!rows.angle.empty()) out.push_back(std::make_unique<AngleConstraints>(rows.angle));
  if (!rows.angle_rates.empty())
    out.push_back(std::make_unique<AngleConstraints>(rows.angle_rates, About::rates));
  return out;
}

void add_joint(const Joint& joint, JointRows& rows) {
  const JointEnd &a = joint.a, &b = joint.b;
  const auto across = [&](const LinearForm& u, const LinearForm& w) {
    rows.dot.push_back({.name = joint.name,
                        .u = u,
                        .w = w,
                        .compliance = joint.compliance,
                        .relaxation = joint.compliance * joint.damping});
  };
  if (joint.type == JointType::slider) {
    across(place(b) - place(a), a.t);
    across(place(b) - place(a), a.s);
  } else {
    const Vec3 offset = b.world - a.world;
    for (int i = 0; i < 3; ++i)
      rows.linear.push_back({joint.name, a.point, b.point, offset, Vec3::Unit(i), joint.compliance,
                             joint.compliance * joint.damping});
  }
  const bool keeps_axis = joint.type == JointType::hinge || joint.type == JointType::fixed ||
                          joint.type == JointType::slider;
  if (keeps_axis) {
    across(a.axis, b.t);
    across(a.axis, b.s);
  }
  const bool keeps_turn = joint.type == JointType::universal || joint.type == JointType::fixed ||
                          joint.type == JointType::slider;
  if (keeps_turn) across(a.t, b.s);
  if (joint.type == JointType::hinge) add_angle_rows(joint, rows);
  if (joint.type == JointType::slider) add_way_rows(joint, rows);
}

}  // namespace pliant
