// Apache Curator's recipes over ZooKeeper as a peer. KIND says which; README.md in this folder, what a peer is asked to do.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMultiLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.retry.ExponentialBackoffRetry;

public class CuratorPeer {
    interface Held {
        void giveBack() throws Exception;
    }

    static final int permits = 4;
    static CuratorFramework servers;
    static String kind;
    // A recipe is made once for a key, and used again, as its users do. The keys of a loop are its own.
    static final ConcurrentHashMap<String, Object> recipes = new ConcurrentHashMap<>();

    static Held lock(String key, boolean reads) throws Exception {
        final String path = "/" + key.replace(':', '-');
        if (kind.equals("leader")) {
            LeaderLatch latch = new LeaderLatch(servers, path);
            latch.start();
            latch.await();
            return latch::close;
        }
        if (kind.equals("permits")) {
            var semaphore = (InterProcessSemaphoreV2) recipes.computeIfAbsent(
                    path, p -> new InterProcessSemaphoreV2(servers, p, permits));
            var lease = semaphore.acquire();
            return () -> semaphore.returnLease(lease);
        }
        InterProcessLock lock = (InterProcessLock) recipes.computeIfAbsent(path + reads, p -> made(path, reads));
        lock.acquire();
        return lock::release;
    }

    static InterProcessLock made(String path, boolean reads) {
        if (kind.equals("exclusive")) return new InterProcessMutex(servers, path);
        if (kind.equals("set")) {
            List<String> paths = new ArrayList<>();
            for (int i = 0; i < 4; ++i) paths.add(path + "-" + i);
            return new InterProcessMultiLock(servers, paths);
        }
        var both = new InterProcessReadWriteLock(servers, path);
        return reads ? both.readLock() : both.writeLock();
    }

    static String percentiles(double[] values) {
        Arrays.sort(values);
        StringBuilder all = new StringBuilder();
        for (double part : new double[] {0.5, 0.9, 0.99}) {
            double value = values.length == 0 ? 0 : values[(int) (part * (values.length - 1))];
            all.append(all.length() == 0 ? "" : ",").append(String.format(Locale.ROOT, "%.1f", value));
        }
        return "[" + all + "]";
    }

    static void cycles(double seconds, int loops) throws Exception {
        final String prefix = "peer:" + ProcessHandle.current().pid() + ":";
        final boolean reads = kind.equals("read");
        lock(prefix + "first", reads).giveBack();
        List<Double> locks = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        int[] errors = {0};
        final long begin = System.nanoTime();
        final long end = begin + (long) (seconds * 1e9);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < loops; ++i) {
            final String key = prefix + i;
            threads.add(new Thread(() -> {
                while (System.nanoTime() < end) {
                    long asked = System.nanoTime();
                    try {
                        Held held = lock(key, reads);
                        long granted = System.nanoTime();
                        held.giveBack();
                        long done = System.nanoTime();
                        synchronized (locks) {
                            locks.add((granted - asked) / 1e3);
                            whole.add((done - asked) / 1e3);
                        }
                    } catch (Exception e) {
                        synchronized (locks) {
                            ++errors[0];
                        }
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        double taken = Math.max(seconds, (System.nanoTime() - begin) / 1e9);
        System.out.printf(Locale.ROOT, "{\"cycles\":%d,\"seconds\":%.3f,\"lock_us\":%s,\"cycle_us\":%s,\"errors\":%d}%n",
                whole.size(), taken, percentiles(locks.stream().mapToDouble(Double::doubleValue).toArray()),
                percentiles(whole.stream().mapToDouble(Double::doubleValue).toArray()), errors[0]);
    }

    static void contend(long holdMicroseconds, String key) throws Exception {
        lock(key + ProcessHandle.current().pid(), false).giveBack();
        System.out.println("ready");
        String[] times = new BufferedReader(new InputStreamReader(System.in)).readLine().split(" ");
        final long begin = Long.parseLong(times[0]);
        final long end = Long.parseLong(times[1]);
        TimeUnit.NANOSECONDS.sleep(begin - System.nanoTime());
        StringBuilder lines = new StringBuilder();
        while (System.nanoTime() < end) {
            boolean reads = kind.equals("mixed") && ThreadLocalRandom.current().nextInt(20) != 0;
            long asked = System.nanoTime();
            Held held = lock(key, reads);
            long granted = System.nanoTime();
            TimeUnit.MICROSECONDS.sleep(holdMicroseconds);
            lines.append(asked).append(' ').append(granted).append(' ').append(System.nanoTime());
            lines.append(reads ? " reads\n" : "\n");
            held.giveBack();
        }
        System.out.print(lines);
    }

    public static void main(String[] words) throws Exception {
        kind = System.getenv().getOrDefault("KIND", "exclusive");
        String nodes = String.join(",", Arrays.copyOfRange(words, 3, words.length));
        servers = CuratorFrameworkFactory.newClient(nodes, new ExponentialBackoffRetry(100, 5));
        servers.start();
        servers.blockUntilConnected();
        if (words[0].equals("cycles"))
            cycles(Double.parseDouble(words[1]), Integer.parseInt(words[2]));
        else
            contend(Long.parseLong(words[1]), words[2]);
        System.out.flush();
        servers.close();
        System.exit(0);
    }
}
