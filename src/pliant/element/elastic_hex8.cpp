// All laws on hex8 elements.
#include <pliant/element/elastic_factory.hpp>

namespace pliant {

std::unique_ptr<ElasticTerm> make_elastic_hex8(ElasticBatchInput input,
                                               std::span<const Vec3> rest) {
  return make_elastic_of<Hex8>(std::move(input), rest);
}

}  // namespace pliant
