// Bytes to a mesh, in the format that the first byte chooses: read to a mesh that keeps the
// readers' promise (finite points, indices in range), or refused with an InputError.
#include <pliant/core/error.hpp>
#include <pliant/io/mesh_file.hpp>

#include <cstdlib>

namespace {

void require_promise(const pliant::Mesh& mesh) {
  for (const pliant::Vec3& x : mesh.points)
    if (!x.allFinite()) std::abort();
  for (const pliant::ElementBlock& block : mesh.blocks)
    for (const pliant::Index n : block.nodes)
      if (n < 0 || n >= mesh.point_count()) std::abort();
  for (const auto& [name, nodes] : mesh.node_sets)
    for (const pliant::Index n : nodes)
      if (n < 0 || n >= mesh.point_count()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace pliant;
  static const std::vector<MeshFormat> formats = mesh_formats();
  if (size == 0) return 0;
  const MeshFormat& format = formats[data[0] % formats.size()];
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    require_promise(parse_mesh("a" + format.extensions.front(), bytes));
  } catch (const InputError&) {
  }
  return 0;
}
