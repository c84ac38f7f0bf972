#include <pliant/io/vtk_xml.hpp>

#include <pliant/io/atomic_file.hpp>
#include <pliant/io/encoding.hpp>

#include <fmt/format.h>

#include <bit>
#include <iterator>

namespace pliant {

VtkArray make_vtk_array(VtkArrayHead head, std::span<const std::byte> values,
                        VtuEncoding encoding) {
  VtkArray array{std::move(head), vtk_compress(values)};
  if (encoding == VtuEncoding::base64) {
    const std::span<const std::byte> packed = array.bytes;
    const std::size_t header = vtk_header_size(packed);
    const std::string text =
        base64_encode(packed.first(header)) + base64_encode(packed.subspan(header));
    const std::span<const std::byte> bytes = bytes_of(text);
    array.bytes.assign(bytes.begin(), bytes.end());
  }
  return array;
}

VtkXmlDocument::VtkXmlDocument(std::string kind, VtuEncoding encoding)
    : kind_(std::move(kind)), encoding_(encoding) {
  head_ = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n<{}>\n",
      kind_, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", kind_);
}

void VtkXmlDocument::arrays(const std::vector<VtkArray>& arrays) {
  for (const VtkArray& array : arrays) {
    fmt::format_to(std::back_inserter(head_),
                   "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                   "format=\"appended\" offset=\"{}\"/>\n",
                   array.type, xml_escaped(array.name), array.components, offset_);
    offset_ += array.bytes.size();
    pieces_.emplace_back(array.bytes);
  }
}

void VtkXmlDocument::write(const std::filesystem::path& path) {
  text(fmt::format("</{}>\n<AppendedData encoding=\"{}\">\n_", kind_,
                   encoding_ == VtuEncoding::raw ? "raw" : "base64"));
  constexpr std::string_view tail = "\n</AppendedData>\n</VTKFile>\n";
  std::vector<std::span<const std::byte>> all = {bytes_of(head_)};
  all.insert(all.end(), pieces_.begin(), pieces_.end());
  all.push_back(bytes_of(tail));
  write_file_atomically(path, all);
}

}  // namespace pliant
