// XDMF: an XML file that says where in an HDF5 file points, cells and values are. Apart from the
// writing of HDF5, so that its text is the same in every build.
#pragma once

#include <pliant/exports/job.hpp>

namespace pliant::exports {

struct XdmfShape {
  std::string data_file;  // name of the HDF5 file, in the same folder
  std::size_t points = 0, cells = 0;
  std::size_t topology_size = 0;    // numbers in /cells/topology
  std::optional<ElementType> type;  // of all cells; none: mixed
  std::vector<double> times;        // s
};

// The cells as XDMF has them: nodes only where all cells are of one type, else each after the
// number of its type.
std::vector<std::int32_t> make_topology(const Volume& volume, const XdmfShape& shape);
XdmfShape make_xdmf_shape(const Job& job, const Volume& volume);

std::string frame_group(std::size_t k);  // the group of our frame k in the HDF5 file
std::string make_xdmf(const XdmfShape& shape);

}  // namespace pliant::exports
