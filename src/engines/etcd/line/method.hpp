#pragma once

#include <string_view>

namespace redlock::etcd {

/// A method of etcd's gRPC interface: the path of its requests. One of `methods`, which live for ever.
struct method {
    std::string_view path;
};

namespace methods {

inline constexpr method range{"/etcdserverpb.KV/Range"};
inline constexpr method put{"/etcdserverpb.KV/Put"};
inline constexpr method delete_range{"/etcdserverpb.KV/DeleteRange"};
inline constexpr method txn{"/etcdserverpb.KV/Txn"};
inline constexpr method watch{"/etcdserverpb.Watch/Watch"}; ///< a stream
inline constexpr method lease_grant{"/etcdserverpb.Lease/LeaseGrant"};
inline constexpr method lease_revoke{"/etcdserverpb.Lease/LeaseRevoke"};
inline constexpr method lease_keep_alive{"/etcdserverpb.Lease/LeaseKeepAlive"}; ///< a stream
inline constexpr method lease_time_to_live{"/etcdserverpb.Lease/LeaseTimeToLive"};
inline constexpr method status{"/etcdserverpb.Maintenance/Status"};
inline constexpr method alarm{"/etcdserverpb.Maintenance/Alarm"};
inline constexpr method member_list{"/etcdserverpb.Cluster/MemberList"};
inline constexpr method authenticate{"/etcdserverpb.Auth/Authenticate"};

} // namespace methods

} // namespace redlock::etcd
