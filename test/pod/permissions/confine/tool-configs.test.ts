import {describe, expect, it} from 'vitest';
import {passedVariables} from '../../../../src/pod/permissions/confine/passed-variables.ts';
import {
	cargoConfig,
	gitConfig,
	goEnv,
	gradleProperties,
	mavenSettings,
	npmConfig,
	pipConfig,
} from '../../../../src/pod/permissions/confine/tool-configs.ts';
import {addressWithoutSecrets, flagsWithoutSecrets} from '../../../../src/pod/permissions/confine/without-secrets.ts';

const secret = 'c4n4ry';
const token = 'aB3dE5fG7hJ9kL2m';
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
				`keyring-provider = x\n  ${secret}\ntimeout = 3\nno setting\n  ${secret}\n`,
		]);
		expect(text).toContain('extra-index-url =\n    https://registry.example/\n    https://b/\nproxy: p:80');
		expect(text).not.toMatch(/c4n4ry|keyring/);
	});

	it('pip has only its own sections', () => {
		expect(
			pipConfig([`[global]\ntimeout = 3\n[${secret}9]\nindex-url = https://b/\n[install]\nretries = 2\n`]),
		).toBe('[global]\ntimeout = 3\n\n[install]\nretries = 2\n');
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

	it('Gradle has only flags of a list for Java', () => {
		const flags = '-Xmx2g -Xms512M -Xss4m -XX:+UseParallelGC -XX:MaxMetaspaceSize=1g -Dfile.encoding=UTF-8';
		const others = `-Dhttp.proxyPassword=${secret} -XX:OnError=evil -javaagent:evil -Xmx${secret} "-Dx=${secret}"`;
		expect(gradleProperties([`org.gradle.jvmargs=${flags} ${others}\n`])).toBe(`org.gradle.jvmargs=${flags}\n`);
		expect(
			gradleProperties([
				`org.gradle.jvmargs=${others}\norg.gradle.caching=${secret}\norg.gradle.workers.max=${secret}\n` +
					'org.gradle.parallel=true\norg.gradle.workers.max=4\n',
			]),
		).toBe('org.gradle.parallel=true\norg.gradle.workers.max=4\n');
	});

	it('each tool lacks an address that contains a secret', () => {
		const hidden = `https://h/${token}/x/`;
		expect(
			gitConfig([`[url "${hidden}"]\n\tinsteadOf = a:\n[url "https://u:12/${secret}@h/"]\n\tinsteadOf = b:\n`]),
		).toBe('');
		expect(gitConfig([`[http "https://h/?t=${token}"]\n\tproxy = http://p\n[http]\n\tproxy = ${hidden}\n`])).toBe(
			'',
		);
		expect(npmConfig([`registry=${hidden}\n@a:registry=${hidden}\n`])).toBe(npmConfig([]));
		expect(
			pipConfig([
				`[global]\nindex-url = ${hidden}\nextra-index-url =\n    https://a/\n    ${hidden}\n` +
					`find-links =\n    https://b/\n[install]\nindex-url: https://c/?token=${token}\ntimeout = 3\n`,
			]),
		).toBe('[global]\nfind-links =\n    https://b/\n\n[install]\ntimeout = 3\n');
		expect(cargoConfig([`[registries.a]\nindex = "sparse+${hidden}"\n[net]\nretry = 3\n`])).not.toContain(token);
		expect(
			goEnv([`GOPROXY=https://a,${hidden}|direct\nGOFLAGS=-v -ldflags=-X=main.token=${token}\nGOPRIVATE=x\n`]),
		).toBe('GOFLAGS=-v\nGOPRIVATE=x\n');
		const [mirror, proxy] = [
			`<mirror><id>m</id><url>${hidden}</url></mirror>`,
			`<proxy><host>u:${secret}@h</host></proxy>`,
		];
		expect(mavenSettings([`<settings><mirrors>${mirror}</mirrors><proxies>${proxy}</proxies></settings>`])).toBe(
			'<settings><proxies><proxy><host>h</host></proxy></proxies></settings>\n',
		);
	});
});

describe('a login without a scheme in the settings of', () => {
	const login = `u:${secret}@h`;

	it.each([
		['npm', npmConfig([`registry=//${login}/npm/\nproxy=//${login}/\n@a:registry=${login}\nnoproxy=a,${login}\n`])],
		['git', gitConfig([`[url "git:${secret}@h:"]\n\tinsteadOf = a:\n[url "a:"]\n\tinsteadOf = //${login}/\n`])],
		['git, in a branch', gitConfig([`[branch "${login}"]\n\trebase = true\n[core]\n\tabbrev = ${login}\n`])],
		[
			'pip',
			pipConfig([`[global]\ntrusted-host = ${login}\n  a\n[${secret}9]\ntimeout = 3\nindex-url = //${login}\n`]),
		],
		[
			'cargo',
			cargoConfig([
				`[registries."https://${login}/"]\nindex = "a"\n[source."//${login}"]\nregistry = "b"\n` +
					`[build]\ntarget = "${login}"\njobs = "${login}"\n[net]\nretry = "${login}"\noffline = "${login}"\n` +
					`[http]\ntimeout = "https://${login}/"\ncainfo = "/x/${login}"\n`,
			]),
		],
		[
			'Go',
			goEnv([
				`GOPRIVATE=a.example,${login}/x\nGONOSUMDB=${login}\nGOINSECURE=${secret}@h\nGOFLAGS=-modfile=//${login}/x\n`,
			]),
		],
		[
			'Maven',
			mavenSettings([
				`<proxy><id>p</id><nonProxyHosts>a|${login}</nonProxyHosts></proxy>` +
					`<mirror><id>${login}</id><url>//${login}/</url></mirror>`,
			]),
		],
		['Gradle', gradleProperties([`systemProp.http.nonProxyHosts=a|${login}\n`])],
	])('%s is left out', (_, text) => {
		expect(text).not.toContain(secret);
	});

	it.each([
		['npm', npmConfig(['noproxy=localhost,.h:80\nca=x\n']), 'noproxy=localhost,.h:80\nca=x'],
		['git', gitConfig(['[url "git@h:a/"]\n\tinsteadOf = h:\n[user]\n\temail = a.b@c.d\n']), '[url "git@h:a/"]'],
		['pip', pipConfig(['[install]\ntrusted-host = a.b:80\n  c.d\n']), 'trusted-host = a.b:80\n  c.d'],
		['cargo', cargoConfig(['[net]\nretry = 3\noffline = true\n[build]\njobs = "default"\n']), 'jobs = "default"'],
		['Go', goEnv(['GOPRIVATE=*.a.example,github.com/org/*\n']), 'GOPRIVATE=*.a.example,github.com/org/*'],
	])('%s leaves the other settings', (_, text, kept) => {
		expect(text).toContain(kept);
	});
});

describe('the variables of a confined command', () => {
	it('lose a value that contains a login, also without a scheme', () => {
		const login = `u:${secret}@h`;
		const names = ['NO_PROXY', 'no_proxy', 'GOPRIVATE', 'GONOPROXY', 'GONOSUMDB', 'LC_ALL', 'LC_TIME', 'LANG'];
		const others = ['PIP_TRUSTED_HOST', 'DEBUG', 'CARGO_BUILD_TARGET', 'TZ', 'RUST_LOG', 'CC', 'LDFLAGS', 'TERM'];
		for (const name of [...names, ...others])
			for (const value of [
				login,
				`https://${login}/`,
				`a,${login}`,
				`//${login}/x`,
				`-x=//t0ken@h/ //${login}`,
			]) {
				const passed = passedVariables({[name]: value});
				expect([name, value, JSON.stringify(passed).includes(secret)]).toEqual([name, value, false]);
			}
		const paths = {PATH: '/bin:/opt/node@20/bin', LD_LIBRARY_PATH: '/a:/b@2/lib', NODE_ENV: 'test'};
		const plain = {...paths, NO_PROXY: 'localhost,.h:80,[::1],10.0.0.0/8', LC_ALL: 'de_DE.UTF-8@euro'};
		expect(passedVariables(plain)).toMatchObject(plain);
		expect(passedVariables({PATH: `/bin:https://${login}/`})).toMatchObject({PATH: '/bin:https://h/'});
	});

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

	it('lose what looks like a secret', () => {
		const passed = passedVariables({
			PIP_INDEX_URL: `https://h/${token}/simple`,
			UV_INDEX_URL: 'https://h/simple',
			GOFLAGS: `-mod=mod -ldflags=-X=main.token=${token}`,
			CFLAGS: `-O2 -DTOKEN=${token}`,
			CC: 'ccache gcc',
			LDFLAGS: `-DTOKEN=${token}`,
			GOSUMDB: 'sum.h https://u:pw@h/',
			LC_TIME: 'C',
			LC_SECRET: token,
		});
		expect(passed).toMatchObject({GOSUMDB: 'sum.h https://h/', LC_TIME: 'C'});
		expect(passed).not.toHaveProperty('LC_SECRET');
		expect(passed).toMatchObject({
			...{UV_INDEX_URL: 'https://h/simple', GOFLAGS: '-mod=mod', CFLAGS: '-O2', CC: 'ccache gcc'},
		});
		expect(passed).not.toHaveProperty('PIP_INDEX_URL');
		expect(passed).not.toHaveProperty('LDFLAGS');
	});
});

describe('an address', () => {
	it.each([
		['http://u:p@h:1/x', 'http://h:1/x'],
		['http://u:p@q@h/', 'http://h/'],
		['http://u:p/w@h/', 'http://h/'],
		['https://h:80/@scope/x', 'https://h:80/@scope/x'],
		['https://h/@scope/x', 'https://h/@scope/x'],
		['https://t0ken@h/ https://u:p@i/', 'https://h/ https://i/'],
		['git@github.com:', 'git@github.com:'],
		['git@github.com:a/b', undefined],
		['h:80/@scope/x', undefined],
		['a.b:80,localhost,[::1]:443', undefined],
		['ssh://git@github.com/', 'ssh://github.com/'],
		['sparse+https://h/index/', 'sparse+https://h/index/'],
		['name=https://h/simple', 'name=https://h/simple'],
		['https://a.example|https://b.example,direct', 'https://a.example|https://b.example,direct'],
		['https://gitlab.example/api/v4/projects/12345678/packages/pypi/simple', undefined],
		['https://h.example/artifactory/api/npm/npm-virtual/', undefined],
		['https://pkgs.dev.azure.com/org/project/_packaging/feed/pypi/simple/', undefined],
		['https://d-111122223333.d.codeartifact.us-west-2.amazonaws.com/npm/repo/', undefined],
		['https://h/simple?format=json', undefined],
		['sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8', undefined],
		['/srv/wheels file:///srv/wheels', undefined],
	])('has no login: %s', (written, clean = written) => {
		expect(addressWithoutSecrets('registry', written)).toBe(clean);
	});

	it('of a proxy may lack its scheme', () => {
		expect(addressWithoutSecrets('proxy', 'u:p@h:80')).toBe('h:80');
		expect(addressWithoutSecrets('proxy', 'http://u:12#x@h:80')).toBe('h:80');
		expect(addressWithoutSecrets('proxy', 'u:p@h:80/x')).toBeUndefined();
	});

	it.each([
		`https://h/${token}/simple/`,
		`https://h/simple/${token}`,
		'https://h/token/abcd1234/simple',
		'https://h/ghp_0123456789abcdef0123456789abcdef0123/simple',
		`https://a/ https://h/${token}/`,
		`https://h/simple?token=${token}`,
		`https://h/simple?t=${token}`,
		'https://h/simple?token=abcd1234',
		`https://h/simple#${token}`,
		`https://h/simple;${token}`,
		`https://a|https://b/${token},direct`,
		`https://a,${token}`,
		`https://u:12/${token}@h/`,
		'https://u:12/x@h/',
		'http://u:12#x@p:80',
		'http://u:12?x@p:80',
		'https://u/x@h/',
		`sparse+https://h/${token}/`,
		`name=https://h/${token}/`,
		`ssh://h/${token}/`,
		'https://h:x/',
		`//u:${secret}@h/`,
		`//t0ken@h/`,
		`u:${secret}@h`,
		`u:${secret}/x@h:80`,
		`a,u:${secret}@h`,
		`git:${secret}@h:`,
		`${token}@h`,
		`:${secret}@h`,
		`u%3A${secret}%40h`,
		`u&#58;${secret}&#x40;h`,
		`u\\u003a${secret}\\u0040h`,
	])('is left out with what looks like a secret: %s', written => {
		expect(addressWithoutSecrets('registry', written)).toBeUndefined();
	});

	it('that is long is read in linear time', () => {
		const parts = [':', ':1/', '//', '/@', 'a:@', '@', 'a', '%40', ',', 'u:p@h ', 'https://', 'a@b,'];
		for (const part of parts) {
			const before = process.cpuUsage();
			addressWithoutSecrets('NO_PROXY', `${part.repeat(100_000)}/@`);
			expect([part, process.cpuUsage(before).user < 3_000_000]).toEqual([part, true]);
		}
	});
});

describe('flags', () => {
	it.each([
		'-O2 -g -Wall -fstack-protector-strong -march=x86-64-v3 -I /usr/include/a -lz',
		'-L/nix/store/0abcdfghijklmnpqrsvwxyz012345678-glibc/lib -Wl,-rpath,/o/5ab84d6acfe1f23c4fae0ab88f26e3a396351ac9/lib',
		'-C target-cpu=native -C link-arg=-fuse-ld=lld --cfg feature="x y"',
		String.raw`-DVERSION=\"1.2.3\" -DNDEBUG -D LEVEL=3 '-DNAME=a b'`,
		'-mod=mod -trimpath -tags=a,b "-ldflags=-s -w"',
		'-ffile-prefix-map=/build/package-1.2.3=. -Xlinker -rpath -Werror=implicit-function-declaration',
		'-D_FORTIFY_SOURCE=2 -D_GLIBCXX_USE_CXX11_ABI=0 -D_FILE_OFFSET_BITS=64 -DPy_LIMITED_API=0x03090000',
		'--target=x86_64-unknown-linux-gnu -Ctarget-feature=+avx2,+fma -mmacosx-version-min=11.0 -std=gnu++20',
	])('stay: %s', flags => {
		expect(flagsWithoutSecrets(flags)).toBe(flags);
	});

	it.each([
		[`-O2 -DTOKEN=${token} -g`, '-O2 -g'],
		[`-O2 -D TOKEN=${token} -g`, '-O2 -g'],
		['-DAPI_KEY="abcDEF123456"', undefined],
		['-DPASS=hunter2 -g', '-g'],
		[`"-ldflags=-s -X main.x=${token}" -v`, '-v'],
		['-ldflags=-X=main.token=abcd-1234', undefined],
		[`-X${token} -v`, '-v'],
		['-x=http://u:hunter2@h/ -v', '-v'],
		[`-x=https://h/${token} -v`, '-v'],
		[`gcc -DTOKEN=${token}`, 'gcc'],
		['-O2 "-DTOKEN', undefined],
		['', undefined],
	])('lose what looks like a secret: %s', (flags, rest) => {
		expect(flagsWithoutSecrets(flags)).toBe(rest);
	});
});
