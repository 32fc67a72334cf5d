#pragma once

namespace bench {

/// What it costs to record one duration in a histogram of the client's, in nanoseconds. The values and the
/// histograms change from record to record, as they do in a client.
double nanoseconds_per_record();

} // namespace bench
