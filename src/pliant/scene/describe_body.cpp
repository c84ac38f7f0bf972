// Bodies: meshes, placement, start, pins.
#include <pliant/core/error.hpp>
#include <pliant/scene/reading.hpp>

#include <fmt/format.h>

namespace pliant::reading {
namespace {

ElementType element(const Json& record) {
  const auto& name = record.at("element").get_ref<const std::string&>();
  for (const ElementType type :
       {ElementType::tet10, ElementType::hex8, ElementType::tri3, ElementType::quad4})
    if (name == name_of(type)) return type;
  return ElementType::tet4;
}

double number(const Json& record, const char* key) { return record.at(key).get<double>(); }

Sdf sdf(const Json& record) {
  Sdf body;
  body.rotation = rotation_matrix(vec3(record.at("rotate")));
  body.translate = vec3(record.at("translate"));
  const auto combine = [&](const char* key, SdfShape shape) {
    const auto parts = record.find(key);
    if (parts == record.end()) return;
    body.shape = shape;
    for (const Json& part : *parts) body.children.push_back(sdf(part));
  };
  if (const auto s = record.find("sphere"); s != record.end())
    body.shape = SdfSphere{number(*s, "radius")};
  if (const auto s = record.find("box"); s != record.end())
    body.shape = SdfBox{vec3(s->at("size"))};
  if (const auto s = record.find("capsule"); s != record.end())
    body.shape = SdfCapsule{number(*s, "radius"), number(*s, "length")};
  if (const auto s = record.find("cylinder"); s != record.end())
    body.shape = SdfCylinder{number(*s, "radius"), number(*s, "length")};
  if (const auto s = record.find("torus"); s != record.end())
    body.shape = SdfTorus{number(*s, "radius"), number(*s, "tube")};
  if (const auto s = record.find("plane"); s != record.end())
    body.shape = SdfPlane{vec3(s->at("point")), vec3(s->at("normal"))};
  combine("union", SdfUnion{});
  combine("intersection", SdfIntersection{});
  combine("difference", SdfDifference{});
  return body;
}

SdfMesh sdf_mesh(const Json& record, const std::string& at, Reader& reader) {
  SdfMesh mesh{sdf(record.at("sdf")), number(record, "size"), element(record)};
  try {
    require_valid(mesh.body, "");
  } catch (const InputError& error) {
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.find_first_not_of(": "), what.size()));
    reader.problems.add(at + "/sdf", what);
  }
  return mesh;
}

PinDescription pin(const Json& record, const std::string& at, Reader& reader) {
  PinDescription pin;
  pin.selection = selection(record, at, reader);
  const auto& axes = record.at("axes").get_ref<const std::string&>();
  for (std::size_t i = 0; i < 3; ++i) pin.axes[i] = axes.find("xyz"[i]) != std::string::npos;
  if (const auto moving = record.find("motion"); moving != record.end()) {
    pin.motion = motion(*moving, at + "/motion", reader);
    pin.cache = cache(*moving, at + "/motion", reader);
  }
  pin.from = number(record, "from");
  if (record.contains("until")) pin.until = number(record, "until");
  if (pin.until <= pin.from)
    reader.problems.add(at + "/until",
                        fmt::format("must be above from, {}, got {}", pin.from, pin.until));
  pin.where = reader.where(at);
  return pin;
}

BodyMaterial body_material(const Json& value) {
  if (value.is_string()) return {value.get<std::string>(), {}, std::nullopt};
  BodyMaterial material;
  if (value.contains("name")) material.standard = value.at("name").get<std::string>();
  if (value.contains("default")) {
    material.standard = value.at("default").get<std::string>();
    for (const auto& [region, name] : value.at("regions").items())
      material.regions.emplace(region, name.get<std::string>());
  }
  if (const auto young = value.find("young"); young != value.end())
    material.young = Expression(young->at("field").get_ref<const std::string&>(), "xyz");
  return material;
}

std::optional<ThinInput> thin(const Json& record) {
  if (record.at("type") != "cloth" && record.at("type") != "cable") return std::nullopt;
  ThinInput thin;
  thin.thickness = number(record, record.at("type") == "cloth" ? "thickness" : "radius");
  if (record.contains("bending")) thin.bending = number(record, "bending");
  if (record.value("bending_model", "auto") == "quadratic") thin.model = BendingModel::quadratic;
  if (record.value("bending_model", "auto") == "shell") thin.model = BendingModel::shell;
  return thin;
}

RigidDescription rigid(const Json& record, const std::string& at, Reader& reader) {
  RigidDescription rigid;
  if (record.contains("density")) rigid.density = number(record, "density");
  if (record.contains("mass_total")) rigid.mass = number(record, "mass_total");
  if (const auto found = record.find("inertia"); found != record.end()) {
    auto I = found->get<std::vector<double>>();
    if (I.size() != 3 && I.size() != 6)
      reader.problems.add(at + "/inertia",
                          fmt::format("must have three or six numbers, got {}", I.size()));
    I.resize(6);
    rigid.inertia = Mat3{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  }
  if (record.contains("center")) {
    rigid.center = vec3(record.at("center"));
    if (!rigid.inertia)
      reader.problems.add(at + "/center",
                          "goes with an \"inertia\", which is about it; without one both are those "
                          "of the shape");
  }
  if (record.contains("stiffness")) rigid.stiffness = number(record, "stiffness");
  if (record.at("formulation") == "se3") rigid.formulation = RigidFormulation::se3;
  return rigid;
}

std::optional<FramesDescription> frames(const Json& record) {
  if (record.at("type") != "frames") return std::nullopt;
  FramesDescription out;
  const Json& said = record.at("frames");
  if (said.is_number()) out.count = said.get<std::size_t>();
  if (said.is_array())
    for (const Json& place : said) out.places.push_back(vec3(place));
  if (record.at("weights") == "sharp") out.power = 4;
  return out;
}

std::optional<PlasticLaw> plasticity(const Json& record) {
  const auto said = record.find("plasticity");
  if (said == record.end()) return std::nullopt;
  PlasticLaw law;
  law.yield = number(*said, "yield");
  if (said->contains("creep")) law.creep = number(*said, "creep");
  if (said->contains("max")) law.most = number(*said, "max");
  return law;
}

}  // namespace

Transform transform(const Json& record) {
  const Json& scale = record.at("scale");
  return {scale.is_number() ? Vec3(Vec3::Constant(scale.get<double>())) : vec3(scale),
          vec3(record.at("rotate")), vec3(record.at("translate"))};
}

namespace {

InitialDescription initial(const Json& record, const Reader& reader) {
  InitialDescription initial{vec3(record.at("velocity")), vec3(record.at("angular_velocity")),
                             mat3(record.at("deform")), std::nullopt};
  if (const auto positions = record.find("positions"); positions != record.end())
    initial.positions = file_path(*positions, reader);
  return initial;
}

}  // namespace

Motion motion(const Json& record, const std::string& at, Reader& reader) {
  Motion motion{vec3(record.at("velocity")), vec3(record.at("angular_velocity")),
                vec3(record.at("center")), std::nullopt};
  if (record.contains("until")) {
    motion.until = number(record, "until");
    if (record.contains("curve") || record.contains("cache"))
      reader.problems.add(at + "/until", "goes with a velocity; a curve or a cache ends by itself");
  }
  const auto rows = record.find("curve");
  if (rows == record.end()) return motion;
  if (!motion.velocity.isZero(0) || !motion.angular_velocity.isZero(0))
    reader.problems.add(at + "/curve", "a curve and a velocity exclude each other");
  motion.curve = curve(*rows, at + "/curve", reader, Curve::Between::smooth);
  return motion;
}

std::optional<CacheDescription> cache(const Json& record, const std::string& at, Reader& reader) {
  const auto file = record.find("cache");
  if (file == record.end()) {
    for (const char* key : {"start", "dt", "speed"})
      if (record.contains(key))
        reader.problems.add(fmt::format("{}/{}", at, key), "goes with a \"cache\"");
    return std::nullopt;
  }
  if (record.contains("curve") || !vec3(record.at("velocity")).isZero(0) ||
      !vec3(record.at("angular_velocity")).isZero(0))
    reader.problems.add(at + "/cache", "a cache and a curve or a velocity exclude each other");
  CacheDescription cache;
  cache.file = file_path(*file, reader);
  cache.where = reader.where(at);
  if (record.contains("start")) cache.start = number(record, "start");
  if (record.contains("dt")) cache.dt = number(record, "dt");
  if (record.contains("speed")) cache.speed = number(record, "speed");
  return cache;
}

MeshDescription mesh(const Json& record, const std::string& at, Reader& reader) {
  if (const auto box = record.find("box"); box != record.end()) {
    const auto cells = box->at("cells").get<std::vector<Index>>();
    return BoxSpec{vec3(box->at("size")),
                   {cells[0], cells[1], cells[2]},
                   element(*box),
                   box->at("split").get<int>()};
  }
  if (const auto s = record.find("sphere"); s != record.end())
    return SphereSpec{number(*s, "radius"), number(*s, "size"), element(*s)};
  if (const auto s = record.find("cylinder"); s != record.end())
    return CylinderSpec{number(*s, "radius"), number(*s, "length"), number(*s, "size"),
                        element(*s)};
  if (const auto s = record.find("capsule"); s != record.end())
    return CapsuleSpec{number(*s, "radius"), number(*s, "length"), number(*s, "size"), element(*s)};
  if (const auto s = record.find("torus"); s != record.end()) {
    const TorusSpec torus{number(*s, "radius"), number(*s, "tube"), number(*s, "size"),
                          element(*s)};
    if (torus.tube >= torus.radius)
      reader.problems.add(at + "/torus/tube", fmt::format("must be below radius, {}, got {}",
                                                          torus.radius, torus.tube));
    return torus;
  }
  if (const auto s = record.find("sheet"); s != record.end())
    return SheetSpec{s->at("size").get<std::array<double, 2>>(),
                     s->at("cells").get<std::array<Index, 2>>(), element(*s)};
  if (const auto s = record.find("cable"); s != record.end())
    return CableSpec{vec3(s->at("from")), vec3(s->at("to")), s->at("segments").get<Index>()};
  if (record.contains("file")) {
    FileMesh file{file_path(record.at("file"), reader), std::nullopt};
    if (record.contains("element")) file.element = element(record);
    return file;
  }
  if (record.contains("surface"))
    return SurfaceMesh{file_path(record.at("surface"), reader), number(record, "size"),
                       element(record)};
  return sdf_mesh(record, at, reader);
}

BodyDescription body(const Json& record, const std::string& at, Reader& reader) {
  BodyDescription body;
  body.name = record.at("name").get<std::string>();
  body.type = record.at("type").get<std::string>();
  body.where = reader.where(at);
  body.mesh = mesh(record.at("mesh"), at + "/mesh", reader);
  if (body.type == "rigid")
    body.rigid = rigid(record, at, reader);
  else
    body.material = body_material(record.at("material"));
  body.transform = transform(record.at("transform"));
  body.initial = initial(record.at("initial"), reader);
  const Json& pins = record.at("pin");
  for (std::size_t i = 0; i < pins.size(); ++i)
    body.pins.push_back(pin(pins[i], fmt::format("{}/pin/{}", at, i), reader));
  const Json& laws = record.at("damping");
  for (std::size_t i = 0; i < laws.size(); ++i)
    body.damping.push_back(damping(laws[i], fmt::format("{}/damping/{}", at, i), reader));
  body.thin = thin(record);
  body.frames = frames(record);
  body.plasticity = plasticity(record);
  if (record.contains("embed")) body.embed = mesh(record.at("embed"), at + "/embed", reader);
  if (record.contains("coarsen"))
    body.coarsen = coarsen(record.at("coarsen"), body.mesh, at + "/coarsen", reader);
  body.lumped_mass = record.value("mass", "consistent") == "lumped";
  const Json& masses = record.at("point_masses");
  for (std::size_t i = 0; i < masses.size(); ++i)
    body.point_masses.push_back({vec3(masses[i].at("point")), number(masses[i], "mass"),
                                 reader.where(fmt::format("{}/point_masses/{}", at, i))});
  return body;
}

}  // namespace pliant::reading
