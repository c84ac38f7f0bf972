// Loads on bodies, and the probes that watch them.
#include <pliant/scene/scene_schema.hpp>

namespace pliant {

using namespace schema;

namespace {

Field body_name() { return required("body", text(TextSchema::Form::name), "the body's name"); }

SchemaRef wind_record() {
  return record(
      {OneOf{"velocity",
             {{required("velocity", triple(number("m/s")), "constant velocity of the air")},
              {required("curve", curve(3, "m/s"),
                        "rows [t, x, y, z]: velocity (m/s) over time (s), straight between")}}},
       fallback("drag", "1.2", nonnegative("N·s²/m⁴"),
                "½·drag·(relative normal velocity)² is the pressure on a windward face and the "
                "suction on a face in the lee; nothing gives shelter")});
}

SchemaRef point_record() {
  return record(
      {body_name(), selection_keys(),
       OneOf{"force",
             {{required("force", triple(number("N")), "total, shared equally by the nodes")},
              {required("curve", curve(3, "N"),
                        "rows [t, x, y, z]: total force (N) over time (s), straight between")}}}});
}

SchemaRef pressure_record() {
  return record(
      {body_name(), selection_keys(),
       OneOf{"pressure",
             {{required("value", number("Pa"),
                        "pressure on the faces all of whose nodes are selected")},
              {required("curve", curve(1, "Pa"),
                        "rows [t, p]: pressure (Pa) over time (s), straight between")}}}});
}

SchemaRef path_list() {
  const SchemaRef part = either(
      {text(TextSchema::Form::name), triple(number("m")), make(MapSchema{nonnegative(), "body"})});
  return list(list(part, 2, 2), 2, 100);
}

Field path_points() {
  return required("path", path_list(),
                  "[[body or \"world\", [x, y, z]], …]: the undeformed points that it runs through "
                  "from end to end, without friction; {body: share, …} instead of a name blends "
                  "where several bodies would take the point, so that a path wraps round a joint");
}

Field path_name() {
  return optional("name", text(TextSchema::Form::name),
                  "what probes call it; its kind and number unless given");
}

SchemaRef spring_record() {
  const SchemaRef end = either({text(TextSchema::Form::name), triple(number("m"))});
  return record(
      {required("between", list(end, 4, 4),
                "[body or \"world\", point, body or \"world\", point]: undeformed positions"),
       required("stiffness", positive("N/m"), "force per length that it is stretched by"),
       optional("rest", nonnegative("m"),
                "length without force; that of the undeformed points unless given"),
       fallback("damping", "0.0", nonnegative("N·s/m"), "force per speed of its ends"),
       path_name()});
}

SchemaRef tendon_record() {
  return record(
      {path_points(),
       OneOf{"tension",
             {{required("tension", nonnegative("N"), "it pulls with this force")},
              {required("curve", curve(1, "N"),
                        "rows [t, T]: it pulls with T (N) over time (s), straight between")},
              {required("stiffness", positive("N/m"),
                        "it pulls by what it is longer than at rest, and never pushes"),
               {optional("rest_length", nonnegative("m"),
                         "length from which on it pulls; that of the undeformed path unless given"),
                optional("rest_curve", curve(1, "m"),
                         "rows [t, L]: this length (m) over time (s), smooth between: a winch")}}}},
       fallback("damping", "0.0", nonnegative("N·s/m"),
                "force per speed, as far as it pulls all the same"),
       path_name()});
}

SchemaRef muscle_record() {
  return record(
      {path_points(),
       required("strength", positive("N"), "what it pulls with at its best length, fully active"),
       OneOf{"activation",
             {{required("activation", within({.min = 0, .max = 1}), "how active it is")},
              {required("curve", curve(1, "0 to 1"),
                        "rows [t, a]: activation over time (s), straight between")}}},
       optional("optimal_length", positive("m"),
                "L0, at which it pulls best; that of the undeformed path unless given"),
       fallback("width", "0.45", positive(),
                "w: at the length L it pulls with exp(−((L/L0 − 1)/w)²) of its strength"),
       fallback("passive", "0.0", nonnegative("N"),
                "stretched beyond L0 it adds passive·(L/L0 − 1)², active or not"),
       path_name()});
}

}  // namespace

std::vector<Definition> load_definitions() {
  return {
      {"force", "One load.",
       record({OneOf{
           "force",
           {{required("wind", wind_record(), "moving air, on the surface of every body")},
            {required("point", point_record(), "a force on nodes of a body")},
            {required("pressure", pressure_record(), "a pressure on the surface of a body")},
            {required("spring", spring_record(), "a spring between two points")},
            {required("tendon", tendon_record(), "a cord through points that pulls them together")},
            {required("muscle", muscle_record(),
                      "a cord that pulls by its length and activation")}}}})},
      {"probe",
       "What history.csv records: the position of a point, the force on a body, a tension, or the "
       "force or torque of a constraint.",
       record(
           {required("name", text(TextSchema::Form::name), "unique name, heads the columns"),
            OneOf{"what is recorded",
                  {{body_name(),
                    {required("point", triple(number("m")), "undeformed position in the world")}},
                   {required("force_on", text(TextSchema::Form::name),
                             "the body's name: the force of all contact and constraints on it is "
                             "recorded, N")},
                   {required("tension_of", text(TextSchema::Form::name),
                             "the name of a spring, tendon, muscle, distance constraint or cable: "
                             "what it pulls with, N, one column"),
                    {optional("point", triple(number("m")),
                              "of a cable: where, undeformed; its largest tension unless given")}},
                   {required("force_of", text(TextSchema::Form::name),
                             "the name of a constraint: its force on the body that it names first, "
                             "N")},
                   {required("torque_of", text(TextSchema::Form::name),
                             "the name of a constraint: its torque on the body that it names "
                             "first, about the point where it holds it, N·m")}}}})}};
}

}  // namespace pliant
