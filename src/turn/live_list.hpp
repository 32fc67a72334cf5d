#pragma once

#include <boost/intrusive/list.hpp>

#include <iterator>

namespace redlock::turn {

using list_hook =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// What exists of a kind. Each leaves the list when it is destroyed.
template <class T>
using live_list = boost::intrusive::list<T, boost::intrusive::base_hook<list_hook>,
                                         boost::intrusive::constant_time_size<false>>;

/// Whether there is more than one; such a list does not know its length.
template <class T>
bool has_several(const live_list<T>& all) noexcept {
    return !all.empty() && std::next(all.begin()) != all.end();
}

} // namespace redlock::turn
