// Files that nobody vouches for: each ends in words with file and line, none in a crash.
#include <robots/imported.hpp>

#include <pliant/core/error.hpp>

#include <gmock/gmock.h>

#include <random>

namespace pliant::fixtures {
namespace {

using ::testing::HasSubstr;

std::string read(const std::string& name) {
  std::ifstream in(std::filesystem::path(PLIANT_ROBOTS) / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Hostile : public RobotTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "meshes");
    std::filesystem::copy(std::filesystem::path(PLIANT_ROBOTS) / "meshes" / "palm.obj",
                          folder_.path() / "meshes" / "palm.obj");
  }
  void refuse(const std::string& text, const std::string& words) {
    try {
      import(text);
      FAIL() << "was taken: " << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
      EXPECT_THAT(error.what(), ::testing::ContainsRegex("robot\\.xml:[0-9]+: ")) << text;
    }
  }
  // Whether it was taken; anything but an InputError fails the test.
  bool try_import(const std::string& text) {
    try {
      import(text);
      return true;
    } catch (const InputError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      return false;
    }
  }
};

const std::string kMass =
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
    "iyz='0'/></inertial>";

std::string link(const std::string& name, const std::string& inside = kMass) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + inside + "</joint>\n";
}
std::string robot(const std::string& inside) { return "<robot name='r'>\n" + inside + "</robot>"; }
std::string shape(const std::string& geometry) {
  return robot(link("a", "<collision><geometry>" + geometry + "</geometry></collision>"));
}

TEST_F(Hostile, TreesThatAreNone) {
  refuse(robot(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a")), "circle");
  refuse(robot(link("a") + link("b") + link("c") + joint("j", "b", "c") + joint("k", "c", "b")),
         "circle");
  refuse(robot(link("a") + link("b") + link("c") + joint("j", "a", "c") + joint("k", "b", "c")),
         "has a parent already");
  refuse(robot(link("a") + joint("j", "a", "a")), "with itself");
  refuse(robot(link("wheel") + joint("j", "whell", "wheel")), "did you mean \"wheel\"");
  refuse(robot(link("a") + link("b")), "one base");
  refuse(robot(link("a") + link("a")), "the name is taken");
  refuse(robot(""), "has no <link>");
  refuse(robot("<link/>"), "needs the attribute \"name\"");
  refuse(robot("<link name=''/>"), "is empty");
  refuse(robot("<link name='a'/>"), "nothing in it has a mass or a shape");
  refuse(robot(link("a") + link("b") + "<joint name='j' type='fixed'><parent link='a'/></joint>"),
         "needs a <child>");
  refuse(robot(link("a") + link("b") + joint("j", "a", "b", "", "revolut")),
         "did you mean \"revolute\"");
}

TEST_F(Hostile, NumbersThatAreNone) {
  const auto mass = [](const std::string& value) {
    return robot(link("a", "<inertial><mass value='" + value +
                               "'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"));
  };
  refuse(mass("-1"), "negative");
  refuse(mass("nan"), "finite");
  refuse(mass("1e400"), "range");
  refuse(mass(""), "empty");
  refuse(mass("1 2"), "1 number");
  refuse(shape("<box size='1 2'/>"), "3 numbers");
  refuse(shape("<box size='1 0 1'/>"), "above 0");
  refuse(shape("<sphere radius='-1'/>"), "above 0");
  refuse(shape("<sphere radius='1e300'/>"), "at most");
  refuse(shape("<sphere/>"), "needs the attribute");
  refuse(shape("<spher radius='1'/>"), "did you mean \"sphere\"");
  refuse(shape(""), "one shape");
  refuse(robot(link("a") + link("b") + joint("j", "a", "b", "<origin xyz='1e300 1e300 1e300'/>")),
         "further out");
  refuse(robot(link("a") + link("b") + joint("j", "a", "b", "<axis xyz='0 0 0'/>")),
         "no direction");
  refuse(robot(link("a") + link("b") +
               joint("j", "a", "b", "<limit lower='1' upper='-1'/>", "revolute")),
         "above the upper");
}

TEST_F(Hostile, MeshesThatAreNot) {
  refuse(shape("<mesh filename='package://other/none.stl'/>"), "is not there");
  refuse(shape("<mesh filename='/none.stl'/>"), "is not there");
  refuse(shape("<mesh filename='meshes/palm.obj' scale='0 1 1'/>"), "scale");
  write_robot(folder_.path() / "shape.dae", "<COLLADA/>");
  refuse(shape("<mesh filename='shape.dae'/>"), ".dae");
  write_robot(folder_.path() / "empty.obj", "v 0 0 0\n");
  refuse(shape("<mesh filename='empty.obj'/>"), "empty.obj");
  write_robot(folder_.path() / "flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  refuse(shape("<mesh filename='flat.obj'/>"), "no triangles with an area");
}

TEST_F(Hostile, OtherFormats) {
  refuse("<sdf version='1.6'/>", "SDF");
  refuse("<html/>", "neither URDF");
  refuse("<robot xmlns:xacro='x'><xacro:macro name='m'/></robot>", "xacro");
  refuse(robot("<link name='${prefix}base'/>"), "xacro");
}

TEST_F(Hostile, WordsOfMjcfThatAreWrong) {
  const auto body = [](const std::string& inside, const std::string& before = "") {
    return "<mujoco>\n" + before + "<worldbody>\n<body name='a'>" + inside +
           "</body></worldbody></mujoco>";
  };
  refuse("<mujoco/>", "no <body>");
  refuse(body("<geom type='boxx' size='1 1 1'/>"), "did you mean \"box\"");
  refuse(body("<geom type='box' size='1'/>"), "size must have 3 numbers");
  refuse(body("<geom/>"), "size must have 1 number");
  refuse(body("<geom size='0.1' class='none'/>"), "unknown class");
  refuse(body("<geom type='mesh' mesh='none'/>"), "unknown mesh");
  refuse(body("<geom type='mesh' mesh='m'/>", "<asset><mesh name='m' file='none.stl'/></asset>"),
         "is not there");
  refuse(body("<geom size='0.1' quat='0 0 0 0'/>"), "zero");
  refuse(body("<geom size='0.1' mass='-1'/>"), "negative");
  refuse(body("<geom size='0.1' contype='-1'/>"), "whole number");
  refuse(body("<geom size='nan'/>"), "finite");
  refuse(body("<joint type='hing'/><geom size='0.1'/>"), "did you mean \"hinge\"");
  refuse(body("<joint range='1 0'/><geom size='0.1'/>"), "above its end");
  refuse(body("<joint limited='true'/><geom size='0.1'/>"), "no range");
  refuse(body("<joint axis='0 0 0'/><geom size='0.1'/>"), "no direction");
  refuse(body("<geom size='0.1'/>", "<compiler angle='grad'/>"), "unknown angle");
  refuse(body("<geom size='0.1'/>", "<compiler eulerseq='abc'/>"), "eulerseq");
  refuse(body("<geom size='0.1'/>", "<compiler coordinate='global'/>"), "coordinate");
  refuse(body("<geom size='0.1'/>", "<option timestep='0'/>"), "timestep");
  refuse(body("<geom size='0.1'/>", "<default><default/></default>"), "class");
  refuse(body("<geom size='0.1'/><body name='b'><freejoint/></body>"), "only a body of the world");
  refuse(body("<geom size='0.1'/><body name='a'/>"), "the name is taken");
  refuse(body("<joint/><geom size='0.1'/>", "<actuator><position joint='none'/></actuator>"),
         "unknown joint");
  refuse(body("<geom size='0.1'/>", "<contact><exclude body1='a' body2='b'/></contact>"),
         "unknown body");
}

TEST_F(Hostile, FilesThatAreNone) {
  for (const std::filesystem::path& path :
       {folder_.path() / "none.urdf", folder_.path(), std::filesystem::path("/dev/zero")})
    EXPECT_THROW(import_file(path), InputError) << path;
  std::ofstream(folder_.path() / "huge.urdf").close();
  std::filesystem::resize_file(folder_.path() / "huge.urdf", std::uintmax_t{1} << 40);
  EXPECT_THROW(import_file(folder_.path() / "huge.urdf"), InputError);
}

TEST_F(Hostile, LongChainsAreNoMatterOfTheStack) {
  std::string chain;
  for (int k = 0; k < 20000; ++k) chain += link(std::to_string(k), "");
  chain += link("last");
  for (int k = 0; k < 20000; ++k)
    chain += joint("j" + std::to_string(k), std::to_string(k),
                   k == 19999 ? "last" : std::to_string(k + 1), "", "fixed");
  EXPECT_EQ(import(robot(chain)).json.at("bodies").size(), 1u);
}

// Cut off anywhere, a file is refused or, behind its last tag, taken.
TEST_F(Hostile, EveryTruncationIsRefusedInWords) {
  for (const char* name : {"double-pendulum.urdf", "arm.urdf", "quadruped.xml"}) {
    const std::string whole = read(name);
    ASSERT_GT(whole.size(), 500u);
    const std::size_t end = whole.find_last_of('>');
    for (std::size_t length = 0; length < end; ++length)
      ASSERT_FALSE(try_import(whole.substr(0, length))) << name << " cut at " << length;
    EXPECT_TRUE(try_import(whole.substr(0, end + 1))) << name;
  }
}

// Characters changed at random: taken or refused, and never anything else.
TEST_F(Hostile, EveryChangeIsTakenOrRefused) {
  std::mt19937 random(11);
  const std::string letters = "<>/='\" \n0-.9eaZ&;\xff\x01";
  int taken = 0, refused = 0;
  for (const char* name : {"double-pendulum.urdf", "arm.urdf", "quadruped.xml"}) {
    const std::string whole = read(name);
    for (int k = 0; k < 300; ++k) {
      std::string changed = whole;
      for (int times = 1 + static_cast<int>(random() % 3); times > 0; --times)
        changed[random() % changed.size()] = letters[random() % letters.size()];
      ++(try_import(changed) ? taken : refused);
    }
  }
  EXPECT_GT(taken, 50);
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace pliant::fixtures
