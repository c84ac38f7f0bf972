// Elastic elements of a law that a program brings along (material/batch_law.hpp).
#pragma once

#include <pliant/element/elastic_term.hpp>
#include <pliant/material/batch_law.hpp>

namespace pliant {

// Of tet4, tet10 or hex8. The constants of the input have no part in it but for the density, which
// is not this term's matter.
std::unique_ptr<ElasticTerm> make_custom_elastic(ElasticBatchInput input,
                                                 std::shared_ptr<const BatchLaw> law,
                                                 std::span<const Vec3> rest);

}  // namespace pliant
