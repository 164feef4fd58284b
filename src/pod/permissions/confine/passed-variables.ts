import {isAbsolute} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {markVariable} from '../../platform/process-tree.ts';
import type {Network} from './settings.ts';
import {fileVariables, folderVariables} from './tool-chains.ts';
import {addressWithoutSecrets, flagsWithoutSecrets, withoutLogin} from './without-secrets.ts';

/**
Returns the variables that a confined command gets: those on the lists, without secrets, and those that the user named.
*/
export function passedVariables(env: Env, named: readonly string[] = [], network: Network = 'open'): Env {
	const passed = Object.entries(env).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
		if (value === undefined) return [];
		if (name === markVariable || named.includes(name)) return [[name, value]];
		const kept = partOf(name, value);
		return kept === undefined ? [] : [[name, kept]];
	});
	return {
		...(network === 'none' && withoutRetries),
		...Object.fromEntries(passed),
		TMPDIR: '/tmp',
		GIT_OPTIONAL_LOCKS: '0',
		GIT_TERMINAL_PROMPT: '0',
	};
}

/**
Divides variables into those that the programs around a command get, and those that only the command gets. With the
latter, a program or a library of the project could replace one that is not confined. The programs around a command get
the PATH of the system.
*/
export function partVariables(env: Env): {readonly around: Env; readonly inside: Env} {
	const parted = Object.groupBy(Object.entries(env), ([name]) => (ofPrograms.test(name) ? 'inside' : 'around'));
	return {
		around: {...Object.fromEntries(parted.around ?? []), PATH: systemPath},
		inside: Object.fromEntries(parted.inside ?? []),
	};
}

/** The variables that the program loader and the C library read (ld.so(8)), and those by which shells find programs. */
const ofPrograms = /^(?:PATH|LD_\w+|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|ENV|BASH_ENV)$/;

const systemPath = '/usr/bin:/bin:/run/current-system/sw/bin';

/** Returns the part of a variable's value that a command gets, or `undefined` if it does not get the variable. */
function partOf(name: string, value: string): string | undefined {
	if (plain.has(name) || prefixes.test(name) || addresses.has(name)) return addressWithoutSecrets(name, value);
	if (folderLists.has(name)) return withoutLogin(value);
	if (flags.has(name)) return flagsWithoutSecrets(value);
	if (paths.has(name)) return isAbsolute(value) ? value : undefined;
	return name === 'NODE_OPTIONS' ? harmlessOptions(value) : undefined;
}

/** Without a network, these tools would try again for more than a minute before they fail. */
const withoutRetries: Env = {npm_config_fetch_retries: '0', PIP_RETRIES: '0', CARGO_NET_RETRY: '0'};

/**
Lists of folders, separated by colons. The name of a folder may contain an `@`, so only credentials in a whole address
are removed.
*/
const folderLists: ReadonlySet<string> = new Set([
	...['PATH', 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH', 'CMAKE_PREFIX_PATH', 'PYTHONPATH', 'SSL_CERT_DIR'],
]);

/** Variables with plain values. A value that contains credentials, or looks like a secret, is left out. */
const plain: ReadonlySet<string> = new Set([
	// The user and the screen
	...['HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'COLORTERM', 'COLUMNS', 'LINES', 'TZ', 'LANG', 'LANGUAGE'],
	...['CI', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'PAGER', 'GIT_PAGER', 'LESS', 'MANPAGER'],
	// Builds and tests
	...['NODE_ENV', 'DEBIAN_FRONTEND', 'SOURCE_DATE_EPOCH'],
	...['PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PYTHONHASHSEED', 'PYTHONIOENCODING', 'PYTHONUTF8'],
	...['RUST_BACKTRACE', 'RUST_LOG', 'RUSTC_WRAPPER', 'RUSTUP_TOOLCHAIN'],
	...['RUSTUP_AUTO_INSTALL', 'CARGO_BUILD_TARGET', 'CARGO_INCREMENTAL', 'CARGO_TERM_COLOR', 'CARGO_NET_OFFLINE'],
	...['CARGO_BUILD_JOBS', 'GOOS', 'GOARCH', 'GOARM', 'GOAMD64', 'GOEXPERIMENT', 'GOTOOLCHAIN', 'GOWORK'],
	...['GO111MODULE', 'GOPRIVATE', 'GONOPROXY', 'GONOSUMDB', 'CGO_ENABLED'],
	...['PYENV_VERSION', 'RBENV_VERSION', 'NODENV_VERSION', 'CONDA_DEFAULT_ENV', 'ASDF_DATA_DIR', 'PIP_NO_INDEX'],
	...['PIP_DISABLE_PIP_VERSION_CHECK', 'PIP_DEFAULT_TIMEOUT', 'PIP_TRUSTED_HOST', 'UV_OFFLINE', 'UV_PYTHON'],
	...['NODE_TLS_REJECT_UNAUTHORIZED', 'BUNDLE_WITHOUT', 'RAILS_ENV', 'RACK_ENV', 'MIX_ENV'],
	...['npm_config_offline', 'npm_config_prefer_offline', 'COREPACK_ENABLE_STRICT', 'DOTNET_CLI_TELEMETRY_OPTOUT'],
	...['NO_PROXY', 'no_proxy', 'TESTING', 'VERBOSE', 'DEBUG', 'NODE_DEBUG', 'JAVA_VERSION', 'NO_UPDATE_NOTIFIER'],
]);

const prefixes =
	/^LC_(?:ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)$/;

/** Variables with commands and flags of compilers. */
const flags: ReadonlySet<string> = new Set([
	...['CC', 'CXX', 'CPP', 'LD', 'AR', 'CFLAGS', 'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'CGO_CFLAGS', 'CGO_LDFLAGS'],
	...['GOFLAGS', 'RUSTFLAGS', 'RUSTDOCFLAGS'],
]);

/**
Variables with addresses. Credentials are removed from an address. An address that contains another secret is left out.
*/
const addresses: ReadonlySet<string> = new Set([
	...['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'ALL_PROXY'],
	...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'COREPACK_NPM_REGISTRY', 'GOPROXY'],
	'GOSUMDB',
	...['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'PIP_FIND_LINKS', 'PIP_PROXY', 'UV_INDEX_URL', 'UV_DEFAULT_INDEX'],
	...['UV_EXTRA_INDEX_URL', 'RUSTUP_DIST_SERVER', 'RUSTUP_UPDATE_ROOT', 'NODEJS_ORG_MIRROR', 'NVM_NODEJS_ORG_MIRROR'],
]);

const paths: ReadonlySet<string> = new Set([...folderVariables, ...fileVariables]);

/** Returns only the options that neither load a file nor open a connection. */
function harmlessOptions(value: string): string {
	return value
		.split(/\s+/)
		.filter(word => harmlessOption.test(word))
		.join(' ');
}

const harmlessOption = new RegExp(
	String.raw`^--(?:max-(?:old|semi)-space-size=\d+|no-(?:warnings|deprecation)|enable-source-maps|` +
		String.raw`use-(?:openssl|system|bundled)-ca|dns-result-order=\w+|experimental-[\w-]+|` +
		String.raw`stack-trace-limit=\d+|trace-(?:warnings|deprecation|uncaught)|` +
		String.raw`unhandled-rejections=\w+)$`,
);
