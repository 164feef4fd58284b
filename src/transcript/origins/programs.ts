/** Returns the programs that a command names and that are not common, in their order. */
export function commandPrograms(command: string): readonly string[] {
	const names = new Set<string>();
	for (const part of command.slice(0, maxCommand).split(/&&|\|\||[;|&\n(`]|\$\(/)) {
		const words = part.trim().split(/\s+/);
		const word = words.find(
			each => !/^(?:\w+=\S*|-\S*|[{}!]|do|then|else|if|while|until)$/.test(each) && !wrappers.has(each),
		);
		if (word !== undefined && /^[\w.+-]{3,60}$/.test(word) && !common.has(word)) names.add(word);
	}
	return [...names].slice(0, maxPrograms);
}

const maxCommand = 20_000;
const maxPrograms = 5;

/** Programs that run the words after them. */
const wrappers: ReadonlySet<string> = new Set(
	'sudo env nohup time nice exec command xargs npx bunx pnpx uvx'.split(' '),
);

/** Programs that most machines of developers have. */
const common: ReadonlySet<string> = new Set(
	[
		'alias awk basename bash base64 bat brew bun bundle bunx bzip2 cargo cat chmod chown clang cmake cmp column comm',
		'composer cp curl cut date deno df diff dig dirname docker dotnet du echo egrep eslint exit export expr false fd',
		'fgrep file find fmt fold for function gcc gem gh git go gofmt gradle grep gunzip gzip head help hostname htop',
		'jest jobs join java javac jq kill kubectl less link ls lsof make man md5sum mkdir mktemp more mv mvn mypy nano',
		'node npm npx nproc open od openssl paste patch perl pgrep php ping pip pip3 pipx pkill pnpm podman poetry',
		'prettier printenv printf protoc ps psql pwd pytest python python3 rails rake read readlink realpath rev rg rm',
		'rmdir rsync ruby ruff rustc rustfmt scp sed seq set sh sha256sum shellcheck shuf sleep sort source split sqlite3',
		'ssh stat strings swift tac tail tar tee terraform test timeout top touch tox tr tree true tsc tsx type ulimit',
		'uname uniq unlink unset unzip uptime uv vi vim vite vitest wait watch wc wget which while who whoami xargs xxd',
		'yarn yes yq zip zsh zstd cd nmap service systemctl export pushd popd tput vitest ctest ninja meson',
	]
		.join(' ')
		.split(' '),
);
