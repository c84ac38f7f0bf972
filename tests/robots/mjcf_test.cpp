#include <robots/imported.hpp>

#include <pliant/core/error.hpp>
#include <pliant/mesh/transform.hpp>

#include <cmath>
#include <numbers>

namespace pliant::fixtures {
namespace {

constexpr double kPi = std::numbers::pi;

std::string world(const std::string& inside, const std::string& before = "") {
  return "<mujoco model='m'>\n" + before + "<worldbody>\n" + inside + "</worldbody>\n</mujoco>\n";
}

Vec3 centre_of(const Json& body) {
  const Json& transform = body.at("transform");
  const Vec3 degrees =
      transform.contains("rotate") ? as_vec3(transform.at("rotate")) : Vec3(Vec3::Zero());
  Vec3 centre = as_vec3(body.at("center"));
  if (transform.contains("scale")) centre = centre.cwiseProduct(as_vec3(transform.at("scale")));
  return rotation_matrix(degrees) * centre + as_vec3(transform.at("translate"));
}

class Mjcf : public RobotTest {};

TEST_F(Mjcf, MassesComeFromGeomsByDensityOrMass) {
  const Imported one =
      import(world("<body name='b' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.2 0.3'/>"
                   "<geom type='sphere' size='0.1' pos='0 0 1' mass='48'/>"
                   "<geom type='sphere' size='0.1' pos='0 5 1' mass='0'/></body>"));
  const Json& body = one.body("b");
  EXPECT_NEAR(body.at("mass_total").get<double>(), 48 + 48, 1e-9);
  EXPECT_LT((centre_of(body) - Vec3(0, 1.5, 0)).norm(), 1e-12);
  EXPECT_TRUE(body.at("mesh").contains("file"));  // three shapes are one surface
}

TEST_F(Mjcf, EverySimpleShapeIsPlacedAsWritten) {
  const Imported one =
      import(world("<body name='capsule' pos='1 0 1'><freejoint/><geom type='capsule' fromto='0 0 "
                   "0 0 0.4 0' size='0.05'/></body>"
                   "<body name='cylinder' pos='2 0 1'><freejoint/><geom type='cylinder' size='0.1 "
                   "0.2' euler='90 0 0'/></body>"
                   "<body name='ellipsoid' pos='3 0 1'><freejoint/><geom type='ellipsoid' "
                   "size='0.1 0.2 0.3'/></body>"
                   "<body name='sphere' pos='4 0 1'><freejoint/><geom size='0.1'/></body>"));
  EXPECT_EQ(one.body("capsule").at("mesh").at("capsule").at("length"), 0.4);
  EXPECT_LT((centre_of(one.body("capsule")) - Vec3(1, 1, -0.2)).norm(), 1e-12);
  const double m = 1000 * kPi * 0.05 * 0.05 * (0.4 + 4 * 0.05 / 3);
  EXPECT_NEAR(one.body("capsule").at("mass_total").get<double>(), m, 1e-9);
  // Its axis, y of the generator, is y of the file and so −z of the scene.
  for (const char* name : {"capsule", "cylinder"}) {
    const Mat3 R = rotation_matrix(as_vec3(one.body(name).at("transform").at("rotate")));
    EXPECT_NEAR(std::abs(R(2, 1)), 1, 1e-12) << name;
  }
  EXPECT_EQ(one.body("ellipsoid").at("transform").at("scale"), Json::parse("[0.1, 0.2, 0.3]"));
  EXPECT_EQ(one.body("sphere").at("mesh").at("sphere").at("radius"), 0.1);
}

TEST_F(Mjcf, ClassesHandTheirDefaultsDown) {
  const Imported one =
      import(world("<body name='a' childclass='light'><freejoint/><geom/>"
                   "<body name='b' pos='1 0 0'><joint/><geom class='main'/></body>"
                   "<body name='c' pos='2 0 0'><joint class='stiff'/><geom class='stiff' "
                   "size='0.2'/></body></body>",
                   "<default><geom type='sphere' size='0.1' mass='1'/><joint axis='0 1 0'/>"
                   "<default class='light'><geom mass='2'/>"
                   "<default class='stiff'><geom mass='3'/><joint range='-10 "
                   "20'/></default></default></default>"));
  EXPECT_EQ(one.body("a").at("mass_total"), 2);
  EXPECT_EQ(one.body("b").at("mass_total"), 1);
  EXPECT_EQ(one.body("c").at("mass_total"), 3);
  EXPECT_EQ(one.body("c").at("mesh").at("sphere").at("radius"), 0.2);
  const Json& joint = one.constraint("c joint 1");
  EXPECT_LT((as_vec3(joint.at("axis")) - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_NEAR(joint.at("limits")[0].get<double>(), -kPi / 18, 1e-12);
  EXPECT_NEAR(joint.at("limits")[1].get<double>(), kPi / 9, 1e-12);
}

TEST_F(Mjcf, AnglesFollowTheCompiler) {
  const auto centre = [&](const std::string& compiler, const std::string& turned) {
    return centre_of(import(world("<body name='a' " + turned +
                                      "><freejoint/><geom size='0.1' pos='1 0 0'/></body>",
                                  compiler))
                         .body("a"));
  };
  EXPECT_LT((centre("", "euler='0 0 90'") - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_LT(
      (centre("<compiler angle='radian'/>", "euler='0 0 1.5707963267948966'") - Vec3(0, 0, -1))
          .norm(),
      1e-12);
  EXPECT_LT((centre("<compiler eulerseq='zxy'/>", "euler='90 0 0'") - Vec3(0, 0, -1)).norm(),
            1e-12);
  EXPECT_LT((centre("", "axisangle='0 1 0 90'") - Vec3(0, -1, 0)).norm(), 1e-12);
  EXPECT_LT((centre("", "quat='0.5 0.5 0.5 0.5'") - Vec3(0, 0, -1)).norm(), 1e-12);
  EXPECT_LT((centre("", "xyaxes='0 0 1 1 0 0'") - Vec3(0, 1, 0)).norm(), 1e-12);
  EXPECT_LT((centre("", "zaxis='1 0 0'") - Vec3(0, -1, 0)).norm(), 1e-12);
}

TEST_F(Mjcf, SeveralJointsOfABodyMakeSmallBodiesBetween) {
  const Imported one =
      import(world("<body name='a' pos='0 0 1'><joint name='x' type='slide' axis='1 0 0'/><joint "
                   "name='y' type='slide' axis='0 1 0'/>"
                   "<joint name='turn' axis='0 0 1' pos='0.5 0 0'/><geom type='box' size='0.1 0.1 "
                   "0.1'/></body>"));
  EXPECT_EQ(one.json.at("bodies").size(), 3u);
  EXPECT_EQ(one.constraint("x").at("between")[2], "world");
  EXPECT_EQ(one.constraint("y").at("between")[2], one.constraint("x").at("between")[0]);
  EXPECT_EQ(one.constraint("turn").at("between")[2], one.constraint("y").at("between")[0]);
  EXPECT_EQ(one.constraint("turn").at("between")[0], "a");
  EXPECT_LT((as_vec3(one.constraint("turn").at("between")[1]) - Vec3(0.5, 1, 0)).norm(), 1e-12);
  double mass = 0;
  for (const Json& body : one.json.at("bodies")) {
    mass += body.at("mass_total").get<double>();
    EXPECT_LT((centre_of(body) - Vec3(0, 1, 0)).norm(), 1e-9);
  }
  EXPECT_NEAR(mass, 8, 1e-9);
}

TEST_F(Mjcf, ReferencesShiftLimitsAndTargets) {
  const Imported one =
      import(world("<body name='a'><joint name='j' axis='0 0 1' ref='30' range='0 90' "
                   "stiffness='4' springref='60' damping='2'/>"
                   "<geom size='0.1'/></body>"));
  const Json& joint = one.constraint("j");
  EXPECT_NEAR(joint.at("limits")[0].get<double>(), -kPi / 6, 1e-12);
  EXPECT_NEAR(joint.at("limits")[1].get<double>(), kPi / 3, 1e-12);
  EXPECT_NEAR(joint.at("motor").at("angle").get<double>(), kPi / 6, 1e-12);
  EXPECT_NEAR(joint.at("motor").at("compliance").get<double>(), 0.25, 1e-12);
  EXPECT_NEAR(joint.at("motor").at("damping").get<double>(), 2, 1e-12);
  EXPECT_EQ(one.json.at("constraints").size(), 1u);
}

// A drive of limited force does not limit the damping of its joint.
TEST_F(Mjcf, DampingBesideALimitedDriveIsAMotorOfItsOwn) {
  const Imported one = import(
      "<mujoco><worldbody><body name='a'><joint name='j' axis='0 0 1' damping='2'/>"
      "<geom size='0.1'/></body></worldbody>"
      "<actuator><position joint='j' kp='5' forcerange='-7 7'/></actuator></mujoco>");
  const Json& damper = one.constraint("j (motor 2)");
  EXPECT_EQ(damper.at("motor"), Json::parse(R"({"speed": 0.0, "compliance": 0.5})"));
  EXPECT_FALSE(one.constraint("j").at("motor").contains("damping"));
}

TEST_F(Mjcf, ActuatorsOfJointsBecomeMotors) {
  const Imported one = import(
      "<mujoco><worldbody>"
      "<body name='a'><joint name='j' type='slide'/><geom size='0.1'/></body>"
      "<body name='b' pos='1 0 0'><joint name='k'/><geom size='0.1'/></body></worldbody>"
      "<actuator><position joint='j' kp='5' gear='2' ctrlrange='1 3' forcerange='-7 7'/>"
      "<velocity joint='k' kv='4'/><motor joint='k'/><muscle joint='j'/></actuator></mujoco>");
  EXPECT_EQ(one.constraint("j").at("motor"),
            Json::parse(R"({"position": 0.5, "max": 14.0, "compliance": 0.05})"));
  EXPECT_EQ(one.constraint("k").at("motor"), Json::parse(R"({"speed": 0.0, "compliance": 0.25})"));
  EXPECT_TRUE(one.warns("<motor> is left out")) << one.all_warnings();
  EXPECT_TRUE(one.warns("<muscle> is not supported"));
}

TEST_F(Mjcf, TheWorldsGeomsAreObstacles) {
  const Imported one =
      import(world("<geom name='ground' type='plane' size='1 1 1' pos='0 0 -1'/>"
                   "<geom name='step' type='box' size='1 2 3' pos='9 0 0'/>"
                   "<geom name='slope' type='box' size='1 1 1' pos='-9 0 0' euler='0 30 0'/>"
                   "<geom name='rail' type='capsule' fromto='0 5 0 0 9 0' size='0.1'/>"
                   "<geom name='ball' size='0.5' pos='0 -9 0'/>"
                   "<body name='a'><freejoint/><geom size='0.1'/></body>"));
  const auto shape = [&](const char* name) { return one.find("obstacles", name); };
  EXPECT_EQ(shape("ground").at("plane"),
            Json::parse(R"({"point": [0.0, -1.0, 0.0], "normal": [0.0, 1.0, 0.0]})"));
  EXPECT_EQ(shape("step").at("box").at("size"), Json::parse("[2.0, 6.0, 4.0]"));
  EXPECT_TRUE(shape("slope").contains("mesh"));
  const Vec3 from = as_vec3(shape("rail").at("capsule").at("from")),
             to = as_vec3(shape("rail").at("capsule").at("to"));
  EXPECT_LT((0.5 * (from + to) - Vec3(0, 0, -7)).norm(), 1e-12);
  EXPECT_NEAR((from - to).norm(), 4, 1e-12);
  EXPECT_LT((as_vec3(shape("ball").at("sphere").at("center")) - Vec3(0, 0, 9)).norm(), 1e-12);
}

TEST_F(Mjcf, WithoutContactThereAreNoObstacles) {
  const std::string text = world(
      "<geom name='ground' type='plane' size='1 1 1' pos='0 0 -1'/>"
      "<body name='a'><freejoint/><geom size='0.1'/></body>");
  EXPECT_EQ(import(text).json.at("obstacles").size(), 1u);
  const Imported none = import(text, {.contact = false});
  EXPECT_TRUE(none.json.at("obstacles").empty());
  EXPECT_EQ(none.json.at("contact").at("method"), "none");
  EXPECT_TRUE(none.warns("obstacles are left out"));
}

TEST_F(Mjcf, ARobotThatStandsOnTheFloorIsLiftedALittle) {
  const std::string text = world(
      "<geom name='ground' type='plane' size='1 1 1'/>"
      "<body name='a' pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/>"
      "<body name='b' pos='0 0 0.3'><joint/><geom type='box' size='0.1 0.1 0.1'/></body></body>");
  const Imported one = import(text);
  const double y = as_vec3(one.body("a").at("transform").at("translate")).y();
  const double distance = one.json.at("contact").at("distance").get<double>();
  EXPECT_GT(y, 0.1 + distance);
  EXPECT_LT(y, 0.1 + 4 * distance);
  EXPECT_NEAR(as_vec3(one.body("b").at("transform").at("translate")).y(), y + 0.3, 1e-12);
  EXPECT_NEAR(one.constraint("b joint 1").at("between")[1][1].get<double>(), y + 0.3, 1e-12);
  EXPECT_TRUE(one.warns("higher")) << one.all_warnings();
  EXPECT_EQ(one.json.at("contact").at("groups"), Json::parse(R"([["a", "b"]])"));
}

TEST_F(Mjcf, ShapesTouchByTheirBits) {
  const Imported one = import(world(
      "<geom name='ground' type='plane' size='1 1 1' pos='0 0 -3'/>"
      "<body name='a'><freejoint/><geom size='0.1' contype='1' conaffinity='0'/></body>"
      "<body name='b' pos='1 0 0'><freejoint/><geom size='0.1' contype='1' conaffinity='0'/></body>"
      "<body name='c' pos='2 0 0'><freejoint/><geom size='0.1' contype='2' conaffinity='1'/></body>"
      "<body name='seen' pos='3 0 0'><freejoint/><geom size='0.1' contype='0' "
      "conaffinity='0'/></body>"
      "<body name='d' pos='4 0 0'><freejoint/><geom size='0.1'/></body>"
      "<body name='e' pos='5 0 0'><freejoint/><geom size='0.1'/></body>",
      "<contact><exclude body1='d' body2='e'/></contact>"));
  const Json& groups = one.json.at("contact").at("groups");
  const auto pass = [&](const char* x, const char* y) {
    for (const Json& group : groups)
      if (std::find(group.begin(), group.end(), x) != group.end() &&
          std::find(group.begin(), group.end(), y) != group.end())
        return true;
    return false;
  };
  EXPECT_TRUE(pass("a", "b"));
  EXPECT_FALSE(pass("a", "c"));
  EXPECT_FALSE(pass("c", "d"));
  EXPECT_TRUE(pass("d", "e"));
  EXPECT_FALSE(pass("d", "ground"));
  for (const char* name : {"a", "b", "c", "d", "e", "ground"})
    EXPECT_TRUE(pass("seen", name)) << name;
}

TEST_F(Mjcf, FilesAreIncludedOnce) {
  write_robot(folder_.path() / "part.xml",
              "<mujocoinclude><body name='b' pos='0 0 2'><freejoint/><geom "
              "size='0.1'/></body></mujocoinclude>");
  EXPECT_EQ(import(world("<include file='part.xml'/>")).json.at("bodies").size(), 1u);
  EXPECT_THROW(import(world("<include file='part.xml'/><include file='part.xml'/>")), InputError);
  EXPECT_THROW(import(world("<include file='robot.xml'/>")), InputError);
  EXPECT_THROW(import(world("<include file='none.xml'/>")), InputError);
}

TEST_F(Mjcf, FramesMoveWhatIsInThem) {
  const Imported one = import(world(
      "<frame pos='0 0 1' euler='0 0 90'><body name='a' pos='1 0 0'><freejoint/><geom size='0.1'/>"
      "<frame pos='0 0 0.5'><geom size='0.1'/></frame></body></frame>"));
  EXPECT_LT((centre_of(one.body("a")) - Vec3(0, 1.25, -1)).norm(), 1e-12);
}

TEST_F(Mjcf, TheQuadrupedIsWholeAndItsRestIsNamed) {
  const Imported one = import_file(std::filesystem::path(PLIANT_ROBOTS) / "quadruped.xml");
  EXPECT_EQ(one.json.at("bodies").size(), 9u + 4u);        // and one between two hinges of each hip
  EXPECT_EQ(one.json.at("constraints").size(), 2u * 12u);  // motors and dampers
  const auto capsule = [](double r, double l) { return kPi * r * r * (l + 4 * r / 3); };
  double mass = 0;
  for (const Json& body : one.json.at("bodies")) mass += body.at("mass_total").get<double>();
  EXPECT_NEAR(mass, 500 * (0.5 * 0.2 * 0.1 + 4 * capsule(0.025, 0.2) + 4 * capsule(0.018, 0.2)),
              1e-9);
  for (const char* words : {"<sensor>", "<keyframe>", "<light>", "<texture>",
                            "\"armature\" of <joint>", "\"rgba\" of <geom>"})
    EXPECT_TRUE(one.warns(words)) << words << " in\n" << one.all_warnings();
}

}  // namespace
}  // namespace pliant::fixtures
