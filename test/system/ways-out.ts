/** A way out of the confinement. `$OUT` is a folder outside, `$HOME` the home folder, `$NODE` a Node. */
export type WayOut = {
	readonly name: string;
	readonly command: string;
	/** What must not happen. The test checks all of them after every command. */
	readonly never: 'read' | 'write' | 'connect' | 'survive' | 'gain';
	/** The number of places that it tries, which is 1 without it. */
	readonly places?: number;
	/** Whether an open network allows this. docs/confinement.md lists these exceptions. */
	readonly needsNetwork?: boolean;
};

const read = (name: string, command: string): WayOut => ({name, command, never: 'read'});
const write = (name: string, command: string): WayOut => ({name, command, never: 'write'});
const connect = (name: string, command: string): WayOut => ({name, command, never: 'connect'});
const survive = (name: string, command: string): WayOut => ({name, command, never: 'survive'});
const gain = (name: string, command: string): WayOut => ({name, command, never: 'gain'});
const open = (way: WayOut): WayOut => ({...way, needsNetwork: true});

const node = (script: string) => `"$NODE" -e '${script}'`;
const unix = (path: string) =>
	node(
		`require("net").connect(${path}).on("connect", () => ` +
			`console.log("ESCAPED")).on("error", e => console.log(e.code))`,
	);

const many = (places: number, way: WayOut): WayOut => ({...way, places});

/** Opens a socket with each of these families and types. */
const families = [...Array(46).keys()].filter(family => ![1, 2, 10, 16].includes(family));
const eachFamily =
	`perl -e 'for my $f (${families.join(',')}) { for my $t (1, 2, 3, 5) { ` +
	'socket(my $s, $f, $t, 0) and print "ESCAPED $f $t\n" } }\'';

/** Makes a system call by its number. Each must fail. */
const systemCall = (name: string, ...words: readonly (number | string)[]) =>
	gain(
		`the system call ${name}`,
		`perl -e 'my $b = "\\0" x 256; syscall(${words.join(', ')}) >= 0 and print "ESCAPED"'`,
	);

/** The numbers are those of x86-64. */
const systemCalls: readonly WayOut[] =
	process.arch === 'x64'
		? [
				systemCall('io_uring_setup', 425, 8, '$b'),
				systemCall('io_uring_enter', 426, 1, 1, 1, 0, 0, 0),
				systemCall('io_uring_register', 427, 0, 0, 0, 0),
				systemCall('keyctl', 250, 0, -3, 1),
				systemCall('add_key', 248, '"user"', '"d"', '"x"', 1, -2),
				systemCall('request_key', 249, '"user"', '"d"', 0, 0),
				systemCall('bpf', 321, 0, '$b', 72),
				systemCall('userfaultfd', 323, 1),
				systemCall('perf_event_open', 298, '$b', 0, -1, -1, 0),
				systemCall('open_by_handle_at', 304, -100, '$b', 0),
				systemCall('fsopen', 430, '"tmpfs"', 0),
				systemCall('open_tree', 428, -100, '"/"', 1),
				systemCall('mount', 165, '"none"', '"/tmp"', '"tmpfs"', 0, 0),
				systemCall('fanotify_init', 300, 0x200, 0),
				systemCall('syslog', 103, 3, '$b', 256),
				systemCall('a call that is not known', 600, 0),
				gain('a call of x32', 'perl -e \'syscall(0x40000000 | 39) > 0 and print "ESC", "APED"\'; true'),
			]
		: [];

/** A command prints ESCAPED if it has reached something that the test cannot see from outside. */
export const waysOut: readonly WayOut[] = [
	// inkpod's own state
	read('a session file of inkpod', 'cat "$STATE/sessions/history.json"'),
	read('a key file of inkpod', 'cat "$STATE/credentials"'),
	read('the list of sessions', 'ls -R "$STATE" | grep history.json && echo ESCAPED'),
	read('the state through /proc/self/root', 'cat "/proc/self/root$STATE/credentials"'),
	read('the state through /proc/1/root', 'cat "/proc/1/root$STATE/credentials"'),
	read('the state through a link in the project', 'ln -sfn "$STATE" l1 && cat l1/credentials'),
	read('the state through a link that existed before', 'cat state-link/credentials'),
	read('the state with ..', 'cat "$STATE/sessions/../credentials"'),
	read(
		'the state with openat',
		node(
			'const {openSync, readFileSync} = require("fs"); ' +
				'console.log(readFileSync(process.env.STATE + "/credentials", "utf8"))',
		),
	),
	read('a copy of the state', 'cp -a "$STATE" copy && cat copy/credentials'),
	read('a tar of the state', 'tar cf s.tar -C "$STATE" . && tar xOf s.tar ./credentials'),
	write(
		'a new session',
		'mkdir -p "$STATE/sessions/new" && echo x > "$STATE/sessions/new/history.json" && echo ESCAPED',
	),
	write('a rule that allows everything', 'echo allow > "$STATE/approvals" && echo ESCAPED'),
	write('the state removed', 'rm -rf "$STATE"'),
	write('the state renamed', 'mv "$STATE" "$STATE.old" && echo ESCAPED'),
	write('the user configuration', 'mkdir -p "$HOME/.config/inkpod" && echo x >> "$HOME/.config/inkpod/config.toml"'),
	read('the user configuration', 'cat "$HOME/.config/inkpod/config.toml"'),
	// Secrets of the home folder
	read('an ssh key', 'cat "$HOME/.ssh/id_ed25519"'),
	read('an ssh key by ~', 'cat ~/.ssh/id_ed25519'),
	read('all ssh keys', 'cat "$HOME"/.ssh/*'),
	read('a gpg key', 'cat "$HOME/.gnupg/private.key"'),
	read('cloud credentials', 'cat "$HOME/.aws/credentials"'),
	read('a kube config', 'cat "$HOME/.kube/config"'),
	read('a docker login', 'cat "$HOME/.docker/config.json"'),
	read('a netrc', 'cat "$HOME/.netrc"'),
	read('git credentials', 'cat "$HOME/.git-credentials"'),
	read('a shell history', 'cat "$HOME/.bash_history"'),
	read('a secret through /proc/self/root', 'cat "/proc/self/root$HOME/.ssh/id_ed25519"'),
	read('a secret through /proc/self/cwd', 'cat "/proc/self/cwd/../home/.ssh/id_ed25519"'),
	read('a secret through a link made now', 'ln -sfn "$HOME/.ssh/id_ed25519" l2 && cat l2'),
	read(
		'a secret through a link made during the command',
		'(for i in 1 2 3 4 5; do ln -sfn "$HOME/.ssh" l3; ln -sfn . l3; done) & ' +
			'for i in 1 2 3 4 5; do cat l3/id_ed25519; done; wait',
	),
	read('a secret through a new hard link', 'ln "$HOME/.netrc" hard && cat hard'),
	read('a secret with find', 'find "$HOME" -type f -exec cat {} +'),
	read('a secret with grep', 'grep -rs SECRET "$HOME" "$OUT" "$STATE"'),
	write('a new ssh key', 'mkdir -p "$HOME/.ssh" && echo key >> "$HOME/.ssh/authorized_keys"'),
	write('a start file of the shell', 'echo x >> "$HOME/.bashrc"'),
	write('a new start file of the shell', 'echo x > "$HOME/.zshenv"'),
	write('a crontab', 'echo "* * * * * x" | crontab - && echo ESCAPED'),
	write('a service', 'mkdir -p "$HOME/.config/systemd/user" && echo x > "$HOME/.config/systemd/user/a.service"'),
	// Files outside
	write('a file outside', 'echo x > "$OUT/file"'),
	write('a new file outside', 'touch "$OUT/new" && echo ESCAPED'),
	write('a file removed', 'rm -f "$OUT/file"'),
	write('a mode changed', 'chmod 777 "$OUT/file" && echo ESCAPED'),
	write('a time changed', 'touch -d @0 "$OUT/file" && echo ESCAPED'),
	write('a file truncated', 'truncate -s 0 "$OUT/file"'),
	write('a file through a link made before', 'echo x > out-link/file'),
	write('a file through a link made now', 'ln -sfn "$OUT" l4; echo x > l4/file'),
	write('a file through a hard link made now', 'ln "$OUT/file" hard2 && echo x > hard2'),
	write('a file through /proc/self/cwd', 'echo x > /proc/self/cwd/../out/file'),
	write('a file through /proc/self/fd', 'exec 9<"$OUT/file"; echo x > /proc/self/fd/9'),
	write('the folder above the project', 'touch ../beside && echo ESCAPED'),
	write('the project folder renamed', 'mv "$PWD" "$PWD.old" && echo ESCAPED'),
	write('a system file', 'echo x >> /etc/hosts && echo ESCAPED'),
	write('a program', 'touch /usr/local/bin/evil && echo ESCAPED'),
	write('a kernel setting', 'echo x > /proc/sys/kernel/core_pattern && echo ESCAPED'),
	write(
		'a device in /sys',
		'for f in /sys/power/state /sys/kernel/uevent_helper; do echo x > $f && echo ESCAPED; done',
	),
	write('sysrq', 'echo h > /proc/sysrq-trigger && echo ESCAPED'),
	write(
		'the real /tmp',
		'touch "$REALTMP/evil"; ls "$REALTMP"/evil >/dev/null && test -e "$REALTMP/canary" && echo ESCAPED',
	),
	// Files that other programs run
	write('a git hook', 'echo evil > .git/hooks/pre-commit'),
	write('a new git hook', 'echo evil > .git/hooks/post-checkout && echo ESCAPED'),
	write('the git configuration', 'git config core.fsmonitor ./evil && echo ESCAPED'),
	write(
		'the git configuration by rename',
		'cp .git/config c2 && echo evil >> c2 && mv -f c2 .git/config && echo ESCAPED',
	),
	write(
		'.git renamed and replaced',
		'mv .git .git2 && cp -r .git2 .git && echo evil > .git/hooks/pre-commit && echo ESCAPED',
	),
	write(
		'.git/hooks removed',
		'rm -rf .git/hooks; mkdir .git/hooks && echo evil > .git/hooks/pre-commit && echo ESCAPED',
	),
	write(
		'.git/hooks exchanged',
		node('const fs=require("fs"); fs.renameSync(".git/hooks", ".git/h2"); console.log("ESCAPED")'),
	),
	write('a hook of a nested repository', 'echo evil > sub/.git/hooks/pre-commit'),
	write(
		'the folder of a nested repository renamed',
		'mv sub sub2 && cp -r sub2 sub && echo evil > sub/.git/hooks/pre-commit && echo ESCAPED',
	),
	write('an .envrc', 'echo evil > .envrc'),
	write('an .envrc by rename', 'echo evil > e2 && mv -f e2 .envrc && echo ESCAPED'),
	write('an .envrc by unlink', 'rm -f .envrc && echo evil > .envrc && echo ESCAPED'),
	write('a task of the editor', 'echo evil > .vscode/tasks.json'),
	write('the project file of inkpod', 'echo evil >> inkpod.toml && echo ESCAPED'),
	write('.husky exchanged', 'mv .husky h3 && mkdir .husky && echo ESCAPED'),
	// Mounts and namespaces
	gain('an unmount of the state', 'umount "$STATE" && cat "$STATE/credentials"'),
	gain('a lazy unmount', 'umount -l "$HOME/.ssh" && cat "$HOME/.ssh/id_ed25519"'),
	gain('a remount', 'mount -o remount,rw / && echo x > "$OUT/file"'),
	gain('a bind mount', 'mkdir -p m && mount --bind / m && cat "m$STATE/credentials"'),
	gain('a new user namespace', 'unshare -Ur sh -c \'umount -l "$STATE"; cat "$STATE/credentials"\''),
	gain('a new mount namespace', 'unshare -Urm sh -c \'mount --bind "$OUT" . && echo ESCAPED\''),
	gain('a namespace of another process', 'nsenter -t 1 -m -p cat "$STATE/credentials"'),
	gain('the mount table of the machine', 'nsenter --mount=/proc/1/ns/mnt cat "$STATE/credentials"'),
	gain('a chroot', 'chroot / /bin/sh -c \'cat "$STATE/credentials"\''),
	gain('pivot_root', 'mkdir -p p/q && pivot_root p p/q && echo ESCAPED'),
	gain('a block device', 'mknod d b 8 0 && dd if=d count=1 of=/dev/null && echo ESCAPED'),
	gain(
		'the memory of the machine',
		'head -c1 /dev/mem && echo ESCAPED; head -c1 /dev/kmem && echo ' +
			'ESCAPED; head -c1 /proc/kcore && echo ESCAPED; true',
	),
	gain(
		'a disk in /dev',
		'for d in /dev/sd* /dev/vd* /dev/nvme* /dev/loop*; do test -e "$d" && echo ESCAPED; done; true',
	),
	gain('a loaded module', 'insmod /x.ko && echo ESCAPED; modprobe dummy && echo ESCAPED; true'),
	gain(
		'another host name',
		'hostname evil && test "$(cat /proc/sys/kernel/hostname)" = evil && ! test -d /proc/1/ns && echo ESCAPED; true',
	),
	// Rights
	gain(
		'capabilities',
		'grep -E "^Cap(Inh|Prm|Eff|Bnd|Amb):" /proc/self/status | grep -v 0000000000000000 && echo ESCAPED',
	),
	gain('new privileges', 'grep -q "NoNewPrivs:.1" /proc/self/status || echo ESCAPED'),
	gain(
		'a setuid program',
		'for p in su sudo newgrp passwd; do command -v $p; done; su -c "cat /etc/shadow" ' +
			'</dev/null; sudo -n cat /etc/shadow; grep -c ":" /etc/shadow && echo ESCAPED; true',
	),
	gain('a new setuid program', 'cp /bin/sh s && chmod u+s s && ./s -p -c \'cat "$STATE/credentials"\''),
	gain('another user', 'chown 1:1 own 2>/dev/null && echo ESCAPED; true'),
	gain('a negative priority', 'nice -n -5 true 2>&1 | grep -q . || test "$(nice)" -ge 0'),
	// Other processes
	read('the environment of the parent', 'tr "\\0" "\\n" < /proc/$PPID/environ'),
	read('the environment of every process', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n"'),
	read('its own environment', 'env'),
	read(
		'the arguments of other processes',
		'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep [C]ANARYPROC && echo ESCAPED',
	),
	gain(
		'the parent of the sandbox',
		'test -e "/proc/$OUTPID" && tr "\\0" " " < /proc/$OUTPID/cmdline | grep [C]ANARYPROC && echo ESCAPED',
	),
	gain(
		'a signal to the process outside',
		'kill -0 "$OUTPID" 2>/dev/null && grep -q [C]ANARYPROC "/proc/$OUTPID/cmdline" && echo ESCAPED',
	),
	gain('a signal to every process', 'kill -TERM -- -1'),
	gain('ptrace', 'gdb -p "$OUTPID" -batch; strace -p "$OUTPID" true; head -c1 "/proc/$OUTPID/mem" && echo ESCAPED'),
	gain(
		'shared memory of the machine',
		'ls /dev/shm | grep canary && echo ESCAPED; ipcs -m | grep 0x00c0ffee && echo ESCAPED; true',
	),
	// Descriptors and the terminal
	gain(
		'inherited descriptors',
		'find /proc/$$/fd -mindepth 1 -printf "%f %l\\n" > fds; ' +
			`awk '$1 > 2 && $1 != 255 && $2 != "/dev/null" {print "ESCAPED", $0}' fds; rm fds`,
	),
	read('the inherited descriptor', 'cat <&7; cat <&9; cat /proc/self/fd/7'),
	gain('the controlling terminal', 'exec 5<>/dev/tty && echo ESCAPED'),
	gain(
		'a typed key (TIOCSTI)',
		'perl -e \'for my $f (0, 1, 2) { open(my $h, "+<&=", $f); ioctl($h, 0x5412, "x") and print "ESCAPED" }\'',
	),
	gain('the terminals of the machine', 'for t in /dev/pts/[0-9]*; do echo x > $t && echo ESCAPED; done; true'),
	gain('the console', 'for t in /dev/tty[0-9]* /dev/vcs* /dev/input; do test -e $t && echo ESCAPED; done; true'),
	// Sockets
	connect('a socket of inkpod', unix('process.env.STATE + "/sockets/s.sock"')),
	connect('a socket in the home folder', unix('process.env.HOME + "/agent.sock"')),
	connect('a socket outside', unix('process.env.OUT + "/daemon.sock"')),
	connect('a socket in the real /tmp', unix('process.env.REALTMP + "/tmp.sock"')),
	connect('a socket through a link', `ln -sfn "$OUT" l6; ${unix('"l6/daemon.sock"')}`),
	connect(
		'a socket by datagram',
		'perl -MSocket -e \'socket(my $s, AF_UNIX, SOCK_DGRAM, 0); send($s, "x", 0, ' +
			'sockaddr_un("$ENV{OUT}/dgram.sock")) and print "ESCAPED"\'',
	),
	connect('the ssh agent', 'test -n "$SSH_AUTH_SOCK" && echo ESCAPED; ssh-add -l && echo ESCAPED; true'),
	connect('the session bus', 'test -n "$DBUS_SESSION_BUS_ADDRESS" && echo ESCAPED; true'),
	connect('tmux', 'test -n "$TMUX" && echo ESCAPED; tmux ls && echo ESCAPED; true'),
	connect('the display', 'test -n "$DISPLAY$WAYLAND_DISPLAY" && echo ESCAPED; true'),
	connect('docker', 'test -S /run/docker.sock && echo ESCAPED; test -S /var/run/docker.sock && echo ESCAPED; true'),
	connect(
		'the system bus',
		'test -S /run/dbus/system_bus_socket && echo ESCAPED; ls /run/systemd/private && echo ESCAPED; true',
	),
	open(connect('an abstract socket', unix('"\\0inkpod-canary-" + process.env.MARK'))),
	open(connect('a port of this machine', 'exec 6<>/dev/tcp/127.0.0.1/$PORT && echo ESCAPED')),
	open(connect('a port of this machine by IPv6', 'exec 6<>/dev/tcp/::1/$PORT && echo ESCAPED')),
	open(connect('a datagram to this machine', 'echo x > /dev/udp/127.0.0.1/$UDP; sleep 0.05')),
	open(
		connect(
			'another address of this machine',
			'for a in $(hostname -I); do (exec 6<>/dev/tcp/$a/$PORT) && echo ESCAPED; done; true',
		),
	),
	open(connect('the devices of the network', 'tail -n +3 /proc/net/dev | grep -v "^ *lo:" && echo ESCAPED')),
	connect('a raw socket', 'perl -MSocket -e \'socket(my $s, AF_INET, SOCK_RAW, 1) and print "ESCAPED"\''),
	connect('a packet socket', 'perl -MSocket -e \'socket(my $s, 17, SOCK_RAW, 768) and print "ESCAPED"\''),
	// Processes that keep running
	survive('a background process', 'sleep 98765 &'),
	survive('nohup', 'nohup sleep 98765 >/dev/null 2>&1 &'),
	survive('setsid', 'setsid sleep 98765 >/dev/null 2>&1 < /dev/null &'),
	survive('a double fork', '(setsid sh -c "sleep 98765 &" &)'),
	survive('a process that ignores signals', 'trap "" TERM HUP INT; (trap "" TERM HUP; sleep 98765) & disown'),
	survive('systemd-run', 'systemd-run --user sleep 98765 && echo ESCAPED; true'),
	survive('at', 'echo "sleep 98765" | at now && echo ESCAPED; true'),
	// What the walls do not name
	read('the folder beside the project', 'cat "$OUT/secret"; cat ../out/secret; ls .. | grep -x out && echo ESCAPED'),
	read('the folder of another user', 'cat "$OTHERHOME/secret"; ls "$OTHERHOME" && echo ESCAPED; true'),
	read(
		'a login with find',
		'find / -xdev -not -path "/proc/*" -name "*redential*" -not -path "/usr/*" -not -path "/opt/*" -exec cat {} + 2>&1',
	),
	many(
		14,
		read(
			'folders of the machine',
			'for d in /mnt /media /boot /sys /var/log /var/lib /var/spool /var/mail /var/backups /var/cache /lost+found ' +
				'/old_root /etc/ssh /etc/sudoers.d; do test -e $d && echo ESCAPED $d; done; true',
		),
	),
	many(
		16,
		read(
			'files of the system with logins',
			'for f in shadow gshadow sudoers environment fstab crypttab wgetrc gitconfig npmrc pip.conf maven/settings.xml ' +
				'ssl/private apt/auth.conf docker wireguard machine-id; do test -e /etc/$f && echo ESCAPED $f; done; true',
		),
	),
	read(
		'the users of the machine',
		'grep -E "^[^:]*:[^:]*:[1-9][0-9]{3}:" /etc/passwd | grep -v ":$(id -u):" && echo ESCAPED; true',
	),
	write('the root folder', 'touch /new && echo ESCAPED; mkdir /work2 && echo ESCAPED; true'),
	write('a file of /etc', 'touch /etc/new && echo ESCAPED; mv /etc/passwd /etc/p2 && echo ESCAPED; true'),
	write('a tool chain', 'touch "$TOOLS/evil" && echo ESCAPED; rm -f "$TOOLS/node" && echo ESCAPED; true'),
	write(
		'the configuration of git',
		'git config --global alias.x "!evil"; git config --system a.b c && echo ESCAPED; true',
	),
	write(
		'a cache of the user',
		'mkdir -p ~/.npm ~/.cargo/registry && echo x > ~/.npm/x && echo x > ~/.cargo/registry/x',
	),
	read('a cache of the user', 'cat ~/.npm/_cacache/login'),
	// Sockets that listen in folders that are shown
	connect('a socket in the project', unix('process.cwd() + "/listening.sock"')),
	connect('a socket that was bound by a relative path', unix('process.cwd() + "/sub/relative.sock"')),
	connect('a socket of the project through /proc', unix('"/proc/self/cwd/sub/relative.sock"')),
	connect('a socket of the project by another name', `ln listening.sock l7; ${unix('"l7"')}`),
	connect('a socket of the project after a rename', `mv listening.sock l8; ${unix('"l8"')}`),
	connect(
		'a datagram socket of the project',
		"perl -MSocket -e 'socket(my $s, AF_UNIX, SOCK_DGRAM, 0); " +
			'send($s, "x", 0, sockaddr_un("datagram.sock")) and print "ESCAPED"\'',
	),
	// Families and system calls
	many(families.length, gain('sockets of other families', eachFamily)),
	gain(
		'a pair of datagram sockets',
		'perl -MSocket -e \'socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) and print "ESCAPED"\'',
	),
	gain(
		'a pair of datagram sockets with flags',
		'perl -MSocket -e \'socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM | 02000000 | 04000, 0) and print "ESCAPED"\'',
	),
	gain(
		'a datagram from a pair to an abstract socket',
		"perl -MSocket -e 'socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) and " +
			'send($a, "x", 0, pack("S a*", 1, "\\0inkpod-canary-$ENV{MARK}")) and print "ESCAPED"\'',
	),
	...systemCalls,
];
