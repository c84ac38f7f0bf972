// The arrays of a .vtu file as numbers, however they are coded. Source: "VTK File Formats" (The VTK
// User's Guide), XML file formats.
#pragma once

#include <pliant/io/formats/vtu_xml.hpp>

#include <optional>

namespace pliant::formats {

std::optional<Scalar> vtk_scalar(std::string_view name);  // "Float64" and its like

class VtuNumbers {
 public:
  // `name` is how errors call the file; the bytes must outlive this.
  VtuNumbers(std::string name, std::string_view bytes, std::string_view kind = "UnstructuredGrid");

  const VtuDocument& document() const { return document_; }
  const std::string& name() const { return name_; }
  const VtuArray* find(std::string_view section, std::string_view array) const;  // of piece 0
  const VtuArray& require(std::string_view section, std::string_view array) const;

  std::vector<std::int64_t> integers(const VtuArray& array);
  // Finite; errors speak of the `item` of so many `components`.
  std::vector<double> reals(const VtuArray& array, std::string_view item = "value",
                            std::size_t components = 1);

  [[noreturn]] void fail(const VtuArray& array, const std::string& problem) const;
  [[noreturn]] void fail(const std::string& problem) const { cursor_.fail(problem); }

 private:
  template <class Take>
  void for_each_number(const VtuArray& array, Take&& take);

  std::string name_;
  std::string_view bytes_;
  FileCursor cursor_;
  VtuDocument document_;
  std::size_t numbers_ = 0;  // taken from the file so far
};

}  // namespace pliant::formats
