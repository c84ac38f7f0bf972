// The heavy data of XDMF by the HDF5 library: cells once, then a group for each frame. Arrays are
// cut into chunks, their bytes shuffled and deflated. The library opens the temporary file itself;
// it gets its name only when all of it is there, and the XDMF file that names it comes last.
#include <pliant/exports/xdmf.hpp>

#include <pliant/core/error.hpp>
#include <pliant/io/atomic_file.hpp>

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <utility>

namespace pliant {

bool hdf5_built() { return true; }

namespace exports {
namespace {

constexpr hsize_t chunk_rows = 16384;
constexpr unsigned deflate_level = 4;

// One open thing of HDF5, closed again by the function that belongs to its kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t get() const { return id_; }
  bool ok() const { return id_ >= 0; }
  bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class DataFile {
 public:
  explicit DataFile(const std::filesystem::path& path)
      : path_(path), whole_(path), file_(create(whole_), H5Fclose) {
    require(file_.ok());
  }

  void group(const std::string& name) {
    const Handle group(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Gclose);
    require(group.ok());
  }
  void write(const std::string& name, const std::vector<double>& values, hsize_t columns) {
    write(name, values.data(), H5T_NATIVE_DOUBLE, {values.size() / columns, columns});
  }
  void write(const std::string& name, const std::vector<std::int32_t>& values, hsize_t columns) {
    write(name, values.data(), H5T_NATIVE_INT32, {values.size() / columns, columns});
  }
  void commit() {
    require(file_.close());
    whole_.commit();
  }

 private:
  static hid_t create(const AtomicFile& whole) {
    // At exit the library would once more write what a full disk refused, and crash on it. We close
    // everything ourselves.
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // errors are ours to tell
    return H5Fcreate(whole.partial().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  }
  void require(bool ok) const {
    if (!ok)
      throw WriteError(fmt::format("{}: cannot be written; is the disk full?", path_.string()));
  }
  void write(const std::string& name, const void* values, hid_t type, std::array<hsize_t, 2> size) {
    const int rank = size[1] == 1 ? 1 : 2;
    const std::array<hsize_t, 2> chunk = {std::clamp<hsize_t>(size[0], 1, chunk_rows), size[1]};
    const Handle space(H5Screate_simple(rank, size.data(), nullptr), H5Sclose);
    const Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    require(space.ok() && layout.ok() && H5Pset_chunk(layout.get(), rank, chunk.data()) >= 0 &&
            H5Pset_shuffle(layout.get()) >= 0 && H5Pset_deflate(layout.get(), deflate_level) >= 0);
    Handle set(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT, layout.get(),
                          H5P_DEFAULT),
               H5Dclose);
    require(set.ok() && H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
            set.close());
  }

  std::filesystem::path path_;
  AtomicFile whole_;
  Handle file_;
};

std::vector<double> flat(const std::vector<Vec3>& values) {
  std::vector<double> numbers;
  numbers.reserve(3 * values.size());
  for (const Vec3& x : values) numbers.insert(numbers.end(), x.begin(), x.end());
  return numbers;
}

std::vector<double> chosen(const std::vector<double>& values, const Volume& volume) {
  std::vector<double> numbers;
  numbers.reserve(volume.cell.size());
  for (const std::int32_t cell : volume.cell)
    numbers.push_back(values[static_cast<std::size_t>(cell)]);
  return numbers;
}

}  // namespace

void write_xdmf(const Job& job) {
  const Volume volume = job.volume();
  const XdmfShape shape = make_xdmf_shape(job, volume);
  DataFile file(std::filesystem::path(job.out).replace_extension(job.format.companion));
  file.group("/cells");
  const int columns = shape.type ? nodes_per_element(*shape.type) : 1;
  file.write("/cells/topology", make_topology(volume, shape), static_cast<hsize_t>(columns));
  file.write("/cells/body", volume.body, 1);
  job.for_each_frame([&](std::size_t k, const ResultFrame& frame) {
    const std::string group = frame_group(k);
    file.group(group);
    file.write(group + "/points", flat(job.points_of(frame.points)), 3);
    file.write(group + "/velocity", flat(job.points_of(frame.velocities)), 3);
    file.write(group + "/von_mises", chosen(frame.von_mises, volume), 1);
    file.write(group + "/det_F", chosen(frame.det, volume), 1);
  });
  file.commit();
  write_file_atomically(job.out, make_xdmf(shape));
}

}  // namespace exports
}  // namespace pliant
