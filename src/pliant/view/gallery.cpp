#include <pliant/view/gallery.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/folder.hpp>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr auto kWait = std::chrono::milliseconds(50);
constexpr std::size_t kMostPicture = 8 << 20;  // bytes

std::vector<std::filesystem::path> scenes_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> scenes;
  for (const std::filesystem::path& file : list_folder(folder))
    if (file.extension() == ".json" && is_file(file)) scenes.push_back(file);
  return scenes;
}

// Name and description as the scene gives them; a file that cannot be read is shown by its name and
// says what is wrong when it is opened.
Json entry_of(const std::filesystem::path& scene, bool picture) {
  std::string name = scene.stem().string(), description;
  try {
    const Json document = load_json(scene);
    if (document.is_object()) {
      name = document.value("name", name);
      description = document.value("description", description);
    }
  } catch (const std::exception&) {
    description = "this file cannot be read as a scene";
  }
  return {{"name", name}, {"description", description}, {"thumbnail", picture}};
}

}  // namespace

bool Gallery::has_scenes(const std::filesystem::path& folder) {
  return is_folder(folder) && !is_file(folder / "history.csv") && !is_folder(folder / "frames") &&
         !scenes_in(folder).empty();
}

Gallery::Gallery(const std::filesystem::path& folder) : folder_(folder) {
  scenes_ = scenes_in(folder);
  if (scenes_.empty())
    throw InputError(fmt::format("{}: holds no scenes (*.json)", folder.string()));
  Json list = Json::array();
  for (std::size_t k = 0; k < scenes_.size(); ++k)
    list.push_back(entry_of(scenes_[k], is_file(thumbnail(k))));
  hello_ = {{"mode", "gallery"},
            {"title", folder.filename().string()},
            {"runs", Json::array()},
            {"scenes", std::move(list)}};
}

std::filesystem::path Gallery::thumbnail(std::size_t number) const {
  return folder_ / "thumbnails" / (scenes_[number].stem().string() + ".png");
}

Answer Gallery::get(const Resource& resource) {
  if (resource.kind != Resource::Kind::thumbnail || resource.number >= scenes_.size())
    return not_found("a gallery has pictures of its scenes only\n");
  std::string picture = read_text(thumbnail(resource.number));
  if (picture.empty() || picture.size() > kMostPicture)
    return not_found("there is no picture of that scene\n");
  return {200, "image/png", std::move(picture)};
}

std::string Gallery::command(const Json& message, std::uint64_t page) {
  if (message.at("type") != "open") return "open a scene first";
  const auto number = message.at("scene").get<std::uint64_t>();
  if (number >= scenes_.size())
    return fmt::format("there is no scene {}; there are {}", number, scenes_.size());
  const std::lock_guard lock(mutex_);
  if (taken_) return "another scene is being opened";
  taken_ = true;
  choice_ = number;
  chooser_ = page;
  chosen_.notify_one();
  LiveStatus status;
  status.state = "starting";
  feed_.set_status(status);
  return {};
}

std::optional<std::filesystem::path> Gallery::wait_for_choice() {
  std::unique_lock lock(mutex_);
  chosen_.wait_for(lock, kWait, [&] { return choice_.has_value(); });
  if (!choice_) return {};
  return scenes_[*std::exchange(choice_, std::nullopt)];
}

void Gallery::refuse(std::string words) {
  {
    const std::lock_guard lock(mutex_);
    feed_.refuse(chooser_, std::move(words));
    taken_ = false;
  }
  ring();
}

void Gallery::close_choice() {
  const std::lock_guard lock(mutex_);
  taken_ = false;
}

}  // namespace pliant
