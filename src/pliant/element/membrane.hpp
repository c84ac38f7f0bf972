// From the name of a membrane law to a batch of triangles or quadrilaterals.
#pragma once

#include <pliant/element/elastic_term.hpp>

namespace pliant {

// `batch` is of tri3 or quad4; the first axis of the material is the warp.
std::unique_ptr<ElasticTerm> make_membrane(ElasticBatchInput batch, double thickness,
                                           std::span<const Vec3> rest);

// Pa: the stiffness against stretching in plane stress at rest, the mean of both directions.
double membrane_stiffness(std::string_view law, const MaterialConstants& constants);

}  // namespace pliant
