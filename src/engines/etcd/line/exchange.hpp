#pragma once
namespace redlock::etcd {
class exchange {
protected:
    virtual ~exchange() = default;
    virtual void has_news() noexcept = 0;
};
} // namespace redlock::etcd
