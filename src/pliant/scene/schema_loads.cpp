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

}  // namespace

std::vector<Definition> load_definitions() {
  return {
      {"force", "One load.",
       record({OneOf{"force",
                     {{required("wind", wind_record(), "moving air, on the surface of every body")},
                      {required("point", point_record(), "a force on nodes of a body")},
                      {required("pressure", pressure_record(),
                                "a pressure on the surface of a body")}}}},
              {"tendon", "muscle", "spring"})},
      {"probe", "What history.csv records: the position of a point, or the force on a body.",
       record(
           {required("name", text(TextSchema::Form::name), "unique name, heads the columns"),
            OneOf{"what is recorded",
                  {{body_name(),
                    {required("point", triple(number("m")), "undeformed position in the world")}},
                   {required("force_on", text(TextSchema::Form::name),
                             "the body's name: the force of all contact and constraints on it is "
                             "recorded, N")}}}})}};
}

}  // namespace pliant
