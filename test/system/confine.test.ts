import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {probeConfinement} from '../../src/pod/permissions/confine/probe.ts';
import {confinedPlace, secret} from '../helpers/confined-place.ts';

const available = await probeConfinement({PATH: process.env['PATH'] ?? ''}, '/nowhere', {platform: 'linux'});

/** Connects to a Unix socket and prints what it sends. */
const unix = (path: string) => `perl -MIO::Socket::UNIX -e 'print IO::Socket::UNIX->new(${path})->getline'`;
const tcp = (host: string) => `perl -MIO::Socket::INET -e 'print IO::Socket::INET->new("${host}:$ENV{PORT}")->getline'`;

/** Ways out by what they try. Each must print no secret, change nothing outside, and reach no server. */
const ways: Readonly<Record<string, readonly string[]>> = {
	'inkpod’s own state': [
		'cat $HOME/.local/state/inkpod/sessions/p/s/history.json',
		'cat /proc/self/root$HOME/.local/state/inkpod/trust.json',
		'find $HOME/.local/state -type f -exec cat {} +',
		'cat $HOME/.config/inkpod/credentials.json',
		'cd $HOME/.local/state/inkpod && cat */*/*/history.json',
		'ln -s $HOME/.local/state/inkpod st && cat st/trust.json',
		'cp -r $HOME/.local/state/inkpod . && cat inkpod/trust.json',
		'tar cf - $HOME/.local/state | tar xOf -',
		'echo forged > $HOME/.local/state/inkpod/trust.json',
		'mv $HOME/.local/state/inkpod $HOME/.local/state/x; cat $HOME/.local/state/x/trust.json',
		'umount $HOME/.local/state/inkpod; cat $HOME/.local/state/inkpod/trust.json',
	],
	'secrets of the home folder': [
		'cat ~/.ssh/id_ed25519',
		'cat ssh-link/id_ed25519',
		'cat ~/.aws/credentials ~/.netrc ~/.bash_history',
		'cat ~/.gnupg/secring.gpg',
		'cat ~/.config/gh/hosts.yml',
		'grep -r TOP- ~ 2>/dev/null',
		'ln ~/.netrc here; cat here',
		'dd if=$HOME/.ssh/id_ed25519',
		'exec 9<~/.netrc; cat <&9',
		'head -c 100 /proc/self/cwd/../home/.ssh/id_ed25519',
		'cat /proc/1/root$HOME/.ssh/id_ed25519',
		'cat ../home/.ssh/id_ed25519',
		'perl -e \'open F, "<", "$ENV{HOME}/.ssh/id_ed25519"; print <F>\'',
		'rmdir ~/.ssh; cat ~/.ssh/id_ed25519',
		'mount --move ~/.ssh ./x; cat ~/.ssh/id_ed25519',
		'umount -l ~/.ssh; cat ~/.ssh/id_ed25519',
	],
	'writing outside': [
		'echo x > $OUTSIDE/file.txt',
		'echo x > out-link/file.txt',
		'rm -rf out-link/',
		'rm -rf $OUTSIDE',
		'mv $OUTSIDE $OUTSIDE.old',
		'ln $OUTSIDE/file.txt hard; echo x > hard',
		'ln -sf $OUTSIDE/file.txt sym; echo x > sym',
		'cp a.txt $OUTSIDE/new.txt; test ! -e $OUTSIDE/new.txt || echo x > $OUTSIDE/file.txt',
		'perl -e \'open F, ">>", "$ENV{OUTSIDE}/file.txt" and print F "x"\'',
		'chmod 000 $OUTSIDE/file.txt',
		'truncate -s 0 $OUTSIDE/file.txt',
		'sed -i s/outside/x/ $OUTSIDE/file.txt',
		'echo x > /proc/self/root$OUTSIDE/file.txt',
		'mount -o remount,rw $OUTSIDE; echo x > $OUTSIDE/file.txt',
		'mount -o remount,bind,rw /; echo x > $OUTSIDE/file.txt',
		'mount --bind . $OUTSIDE',
		'mkdir m && mount -t tmpfs none m && echo mounted > $OUTSIDE/file.txt',
		'mknod disk b 8 0 && cat disk > $OUTSIDE/file.txt',
		'echo x > /etc/inkpod-test; test ! -e /etc/inkpod-test || echo x > $OUTSIDE/file.txt',
		'echo x > $HOME/.bashrc; test ! -e $HOME/.bashrc || echo x > $OUTSIDE/file.txt',
		'pivot_root . . ; echo x > $OUTSIDE/file.txt',
		'chroot /proc/1/root sh -c "echo x > $OUTSIDE/file.txt"',
		'nsenter -t 1 -m sh -c "echo x > $OUTSIDE/file.txt"',
		'unshare -Urm sh -c "mount -o remount,rw /; echo x > $OUTSIDE/file.txt"',
		'unshare -Ur sh -c "echo x > $OUTSIDE/file.txt"',
		'(sleep 0.3; echo x > $OUTSIDE/file.txt) & disown; exit',
	],
	'files that other programs run': [
		'echo evil > .git/hooks/pre-commit',
		'rm -f .git/hooks/pre-commit',
		'chmod 777 .git/hooks/pre-commit; echo evil >> .git/hooks/pre-commit',
		'mv .git/hooks .git/old && mkdir .git/hooks && echo evil > .git/hooks/pre-commit',
		'mv .git .git-old && cp -r .git-old .git && echo evil > .git/hooks/pre-commit',
		'rm -rf .git && git init -q && echo evil > .git/hooks/pre-commit',
		'git config core.hooksPath /var/tmp',
		'echo "[core]" >> .git/config',
		'git config --file .git/config alias.x "!evil"',
		'ln -sf $PWD/a.txt .git/hooks/pre-commit',
		'echo evil > .envrc',
		'mv a.txt .envrc',
		'rm .envrc && echo evil > .envrc',
		'echo "{}evil" > .vscode/tasks.json',
		'mv .vscode v2 && mkdir .vscode && echo evil > .vscode/tasks.json',
		'echo "x = 1" > inkpod.toml',
		'sed -i s/true/evil/ .envrc',
		'ln .envrc e2 && echo evil > e2',
		'perl -e \'rename ".git", "g"; mkdir ".git"; mkdir ".git/hooks"; open F, ">", ".git/hooks/pre-commit"; print F "x"\'',
		'cd .. && mv project p2 && mkdir project',
		'exec 8>>.git/hooks/pre-commit; echo evil >&8',
	],
	'sockets and other processes': [
		unix('"$ENV{HIDDEN}/s.sock"'),
		unix('"$ENV{HOME}/agent.sock"'),
		unix('$ENV{SSH_AUTH_SOCK}'),
		unix('"/proc/1/root$ENV{HIDDEN}/s.sock"'),
		'cat $HIDDEN/secret.txt',
		'ls /tmp /run && cat /tmp/*/secret.txt',
		'cat /proc/$PARENT/environ /proc/$PARENT/cmdline',
		'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep TOP-',
		'kill -9 $PARENT; cat /proc/$PARENT/root$HOME/.netrc',
		'gdb -p $PARENT -batch -ex "call (int)system(\\"touch $OUTSIDE/gdb\\")"; strace -p $PARENT',
		'for f in /proc/self/fd/[3-9]*; do timeout 0.1 cat $f; done 2>/dev/null | head -c 1000',
		'ls -l /proc/self/fd | grep -c session',
		'echo x > /dev/tty',
		'perl -e \'require "sys/ioctl.ph"; ioctl(STDIN, 0x5412, "x")\'',
		'cat /dev/sda /dev/mem /dev/kmem | head -c 100',
		'ls /dev/shm && echo x > /dev/shm/x && ipcs',
		'dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames',
		'sudo -n true; su -c id; pkexec id',
		'cp /bin/sh s && chmod u+s s && ./s -p -c "echo x > $OUTSIDE/file.txt"',
		'setcap cap_sys_admin+ep a.txt; capsh --print | grep -i current.*sys_admin',
	],
};

/** The documented exceptions with an open network are the network itself and abstract sockets. */
const networkWays: readonly string[] = [
	tcp('127.0.0.1'),
	tcp('localhost'),
	'exec 7<>/dev/tcp/127.0.0.1/$PORT; head -n1 <&7',
	'curl -s --max-time 2 http://127.0.0.1:$PORT/',
	unix('"\\0$ENV{ABSTRACT}"'),
	'perl -MSocket -e \'socket(S, PF_UNIX, SOCK_STREAM, 0); connect(S, pack("S a*", 1, "\\0$ENV{ABSTRACT}")); print <S>\'',
	'perl -MSocket -e \'socket(S, PF_INET, SOCK_RAW, 1) and print "raw"\'',
	'ping -c 1 -W 1 127.0.0.1 > /dev/null; ip route; getent hosts example.com',
];

describe.skipIf(!available.ok)('a confined command', () => {
	let place: Awaited<ReturnType<typeof confinedPlace>>;
	let places: string[];
	beforeAll(async () => {
		places = Object.keys(ways);
	});

	it('counts at least 80 ways out', () => {
		expect(Object.values(ways).flat().length + networkWays.length).toBeGreaterThanOrEqual(80);
		expect(places.length).toBe(5);
	});

	for (const network of ['none', 'open'] as const)
		it.each(Object.entries(ways))(`with network ${network} has no way out: %s`, async (_name, commands) => {
			place = await confinedPlace();
			const out: string[] = [];
			for (const command of commands) {
				const text = await place.run(command, network);
				if (text.includes(secret)) out.push(`${command}: ${text.slice(0, 200)}`);
				for (const path of await place.damage()) out.push(`${command}: changed ${path}`);
				for (const name of place.connected.splice(0)) out.push(`${command}: connected to ${name}`);
			}
			expect(out).toEqual([]);
		});

	it('with network none reaches no server of this machine', async () => {
		place = await confinedPlace();
		for (const command of networkWays) expect(await place.run(command)).not.toContain(secret);
		expect(place.connected).toEqual([]);
	});

	it('with network open reaches servers and abstract sockets, as the documentation says', async () => {
		place = await confinedPlace();
		expect(await place.run(tcp('127.0.0.1'), 'open')).toContain(secret);
		expect(await place.run(unix('"\\0$ENV{ABSTRACT}"'), 'open')).toContain(secret);
		expect(place.connected).toEqual(['tcp', 'abstract']);
	});

	it('works in its project: it reads, writes and builds, and git reads the repository', async () => {
		place = await confinedPlace();
		const text = await place.run(
			'echo b > b.txt && mkdir d && git status --short b.txt && ' +
				'cat a.txt b.txt && mktemp > /dev/null && echo $TMPDIR && id -u',
		);
		expect(text.split('\n').map(line => line.trim())).toEqual([
			'?? b.txt',
			'a',
			'b',
			'/tmp',
			String(process.getuid?.()),
			'',
		]);
		expect(await readdir(place.project)).toContain('b.txt');
	});

	it('would not be stopped without these walls, so the table can fail', async () => {
		place = await confinedPlace({mode: 'off'});
		const harmful = [
			'cat $HOME/.local/state/inkpod/trust.json',
			'cat ssh-link/id_ed25519',
			'echo x > out-link/file.txt',
			'mv .git .git-old && cp -r .git-old .git && echo evil > .git/hooks/pre-commit',
			'echo evil > .envrc',
			unix('"$ENV{HIDDEN}/s.sock"'),
			'cat /proc/self/root$HOME/.netrc',
			'(sleep 0.1; echo y > $OUTSIDE/file.txt) & wait',
			tcp('127.0.0.1'),
			unix('"\\0$ENV{ABSTRACT}"'),
		];
		const stopped: string[] = [];
		for (const command of harmful) {
			const before = (await place.damage()).length + place.connected.length;
			const text = await place.run(command);
			const after = (await place.damage()).length + place.connected.length;
			if (!text.includes(secret) && after === before && !command.includes('sleep')) stopped.push(command);
		}
		expect(stopped).toEqual([]);
	});

	it('leaves no process behind', async () => {
		place = await confinedPlace();
		await place.run(
			// The file is renamed into its place, because a kill in the middle of a write would leave it empty.
			'(while true; do date +%N > next.txt; mv next.txt alive.txt; sleep 0.02; done) & disown; ' +
				'(setsid nohup sleep 60 &) ; sleep 0.1',
		);
		const first = await readFile(join(place.project, 'alive.txt'), 'utf8');
		await writeFile(join(place.project, 'alive.txt'), 'dead');
		await place.run('sleep 0.2');
		expect(first).not.toBe('');
		expect(await readFile(join(place.project, 'alive.txt'), 'utf8')).toBe('dead');
	});
});
