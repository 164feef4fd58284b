import {describe, expect, it} from 'vitest';
import {
	passedVariables,
	withoutLogin,
	withoutProxyLogin,
} from '../../../../src/pod/permissions/confine/passed-variables.ts';
import {
	cargoConfig,
	gitConfig,
	gradleProperties,
	mavenSettings,
	npmConfig,
	pipConfig,
} from '../../../../src/pod/permissions/confine/tool-configs.ts';

const secret = 'c4n4ry';
const address = `https://user:${secret}@registry.example/`;

describe('the generated configuration of', () => {
	it('git has who you are, and no programs or logins', () => {
		const text = gitConfig([
			`[user]\n\tname = "A \\"B\\""\n\temail = a@b.c\n[core]\n\tsshCommand = evil\n\tpager = evil\n[alias]\n\tx = !evil\n`,
			`[credential]\n\thelper = store\n[http]\n\textraHeader = Authorization: ${secret}\n\tproxy = u:${secret}@proxy:80\n`,
			`[url "${address}"]\n\tinsteadOf = https://x/\n[includeIf "gitdir:/"]\n\tpath = evil\n` +
				`[filter "lfs"]\n\tclean = evil\n`,
		]);
		expect(text).toContain('name = "A \\"B\\""');
		expect(text).toContain('email = "a@b.c"');
		expect(text).toContain('proxy = "proxy:80"');
		expect(text).toContain('[url "https://registry.example/"]');
		expect(text).toContain('clean = git-lfs clean -- %f');
		expect(text).not.toMatch(/evil|c4n4ry|helper|alias/);
	});

	it('npm has registries, and no tokens', () => {
		const text = npmConfig([
			`registry=${address}\n@a:registry=https://a/\n//a/:_authToken=${secret}\n_auth=${secret}\nca=\${SECRET}\n`,
			`proxy=http://u:${secret}/x@p:1\nscript-shell=evil\nglobalconfig=evil\nprefix=evil\n`,
		]);
		expect(text.split('\n')).toEqual([
			'registry=https://registry.example/',
			'@a:registry=https://a/',
			'proxy=http://p:1',
			...['prefer-offline=true', 'audit=false', 'fund=false', 'update-notifier=false', ''],
		]);
	});

	it('pip has its indexes, also on several lines', () => {
		const text = pipConfig([
			`[global]\nextra-index-url =\n    ${address}\n    https://b/\nproxy: u:${secret}=1@p:80\n` +
				`keyring-provider = x\n  ${secret}\n`,
		]);
		expect(text).toContain('extra-index-url =\n    https://registry.example/\n    https://b/\nproxy: p:80');
		expect(text).not.toMatch(/c4n4ry|keyring/);
	});

	it('cargo has its sources, also if another part is wrong', () => {
		const text = cargoConfig([
			`[registries.a]\nindex = "sparse+${address}"\ntoken = "${secret}"\n[http]\nproxy = 7\n` +
				`[source.crates-io]\nreplace-with = "a"\n[alias]\nx = "evil"\n`,
		]);
		expect(text).toContain('[registries."a"]\nindex = "sparse+https://registry.example/"');
		expect(text).toContain('replace-with = "a"');
		expect(text).not.toMatch(/c4n4ry|evil|proxy/);
		expect(cargoConfig(['not [ toml'])).toBe('');
	});

	it('Maven and Gradle have mirrors and proxies', () => {
		const mirror = `<mirror><id>m</id><url>${address}</url><mirrorOf>*</mirrorOf></mirror>`;
		const server = `<servers><server><password>${secret}</password></server></servers>`;
		const text = mavenSettings([`<settings>${server}<mirrors>${mirror}</mirrors><!-- <proxy> --></settings>`]);
		expect(text).toContain('<url>https://registry.example/</url>');
		expect(text).not.toMatch(/c4n4ry|server>/);
		expect(
			gradleProperties([`systemProp.http.proxyHost=p\nsystemProp.http.proxyPassword=${secret}\nkey=${secret}`]),
		).toBe('systemProp.http.proxyHost=p\n');
	});
});

describe('the variables of a confined command', () => {
	it('are those of a list, without logins', () => {
		const passed = passedVariables(
			{
				...{PATH: '/bin', LC_ALL: 'C', GITHUB_TOKEN: secret, npm_config__auth: secret, EDITOR: 'x', MINE: 'y'},
				...{
					HTTPS_PROXY: `http://u:${secret}@p:1`,
					NODE_OPTIONS: '--require /x.js --max-old-space-size=9 --inspect',
				},
				...{JAVA_HOME: 'relative', GOROOT: '/go', INKPOD_COMMAND: 'mark'},
			},
			['MINE'],
		);
		expect(passed).toEqual({
			...{
				PATH: '/bin',
				LC_ALL: 'C',
				MINE: 'y',
				HTTPS_PROXY: 'http://p:1',
				NODE_OPTIONS: '--max-old-space-size=9',
			},
			...{
				GOROOT: '/go',
				INKPOD_COMMAND: 'mark',
				TMPDIR: '/tmp',
				GIT_OPTIONAL_LOCKS: '0',
				GIT_TERMINAL_PROMPT: '0',
			},
		});
	});

	it.each([
		['http://u:p@h:1/x', 'http://h:1/x'],
		['http://u:p@q@h/', 'http://h/'],
		['http://u:p/w@h/', 'http://h/'],
		['https://h:80/@scope/x', 'https://h:80/@scope/x'],
		['https://h/@scope/x', 'https://h/@scope/x'],
		['https://t0ken@h/ https://u:p@i/', 'https://h/ https://i/'],
	])('have no login in %s', (written, clean) => {
		expect(withoutLogin(written)).toBe(clean);
		expect(withoutProxyLogin('u:p@h:80')).toBe('h:80');
	});
});
