#include <pliant/element/elastic_factory.hpp>

#include <pliant/core/error.hpp>

namespace pliant {

std::unique_ptr<ElasticTerm> make_elastic(ElasticBatchInput input, std::span<const Vec3> rest) {
  switch (input.type) {
    case ElementType::tet4:
      return make_elastic_tet4(std::move(input), rest);
    case ElementType::tet10:
      return make_elastic_tet10(std::move(input), rest);
    case ElementType::hex8:
      return make_elastic_hex8(std::move(input), rest);
    default:
      throw InputError("elements of type " + std::string(name_of(input.type)) +
                       " cannot be part of a solid; tet4, tet10 and hex8 can");
  }
}

}  // namespace pliant
