import {describe, expect, it} from 'vitest';
import {startServer, startTlsServer, testCA} from '../../../helpers/proxy-server.ts';
import {createGuard, fetched, local, problemOf} from './setting.ts';

const certificates = {file: {variable: 'SSL_CERT_FILE', path: testCA}};

describe('a fetched page', () => {
	it('has its address, status, type, bytes and hash, and reveals nothing about the user', async () => {
		const seen: unknown[] = [];
		const {port} = await startServer((request, response) => {
			seen.push(request.url, request.headers);
			response.writeHead(200, {'content-type': 'text/plain; charset=utf-8', 'set-cookie': 'a=b'}).end('text');
		});
		const page = await fetched(`http://name.example:${port}/a?b=c`);
		expect(page).toEqual({
			url: `http://name.example:${port}/a?b=c`,
			finalUrl: `http://name.example:${port}/a?b=c`,
			status: 200,
			contentType: 'text/plain; charset=utf-8',
			body: Buffer.from('text'),
			sha256: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
		});
		expect(seen).toEqual([
			'/a?b=c',
			{
				host: `name.example:${port}`,
				accept: expect.any(String),
				'accept-encoding': 'gzip, deflate, br',
				'accept-language': 'en, *;q=0.5',
				'user-agent': 'inkpod',
				connection: 'close',
			},
		]);
	});

	it('comes over TLS from the checked address, with the name of the URL and its certificate', async () => {
		const names: unknown[] = [];
		const {port} = await startTlsServer((request, response) => {
			names.push(Reflect.get(request.socket, 'servername'), request.headers.host);
			response.end('secret');
		});
		const network = {certificates};
		const page = await fetched(`https://docs.example.test:${port}/`, {network});
		expect(page.body.toString()).toBe('secret');
		expect(names).toEqual(['docs.example.test', `docs.example.test:${port}`]);
		expect(await problemOf(`https://docs.other.test:${port}/`, {network})).toBe(
			'connection ERR_TLS_CERT_ALTNAME_INVALID',
		);
	});

	it('may have any status, and redirects without a place are pages', async () => {
		const {url} = await startServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end());
		for (const status of [204, 301, 404, 500])
			expect(await fetched(`${url}/${status}`)).toMatchObject({status, body: Buffer.alloc(0)});
	});
});

describe('a redirect', () => {
	it('on the same site is followed, and the guard is told', async () => {
		const {url} = await startServer((request, response) => {
			if (request.url === '/') response.writeHead(302, {location: '/next#part'}).end('moved');
			else response.end('here');
		});
		const guard = createGuard();
		expect(await fetched(`${url}/`, {guard})).toMatchObject({url: `${url}/`, finalUrl: `${url}/next`});
		expect(guard.asked.redirects).toEqual([`${url}/ = ${url}/next`]);
	});

	it('to another site is up to the guard, and without its approval nothing is sent there', async () => {
		let requests = 0;
		const other = await startServer((_, response) => {
			requests += 1;
			response.end('other');
		});
		const {url} = await startServer((_, response) => response.writeHead(307, {location: other.url}).end());
		const refusing = createGuard({redirect: {ok: false, sentence: 'Denied by the user'}});
		expect(await problemOf(url, {guard: refusing})).toBe('denied Denied by the user');
		expect(requests).toBe(0);
		const guard = createGuard();
		expect(await fetched(url, {guard})).toMatchObject({finalUrl: `${other.url}/`});
		expect(guard.asked.redirects).toEqual([`${url}/ ≠ ${other.url}/`]);
	});

	it.each([
		['ftp://example.com/', 'scheme'],
		['file:///etc/passwd', 'scheme'],
		['https://user:password@example.com/', 'credentials'],
		['http://example.com:25/', 'port'],
		['http://[fe80::1%25eth0]/', 'not_a_url'],
		[`/${'a'.repeat(9000)}`, 'too_long'],
	])('to %s is refused', async (location, reason) => {
		const {url} = await startServer((_, response) => response.writeHead(301, {location}).end());
		expect(await problemOf(url)).toBe(`${reason} ${location}`);
	});

	it('in a circle ends', async () => {
		let requests = 0;
		const {url} = await startServer((_, response) => {
			requests += 1;
			response.writeHead(301, {location: '/'}).end();
		});
		expect(await problemOf(url)).toBe('redirects 10');
		expect(requests).toBe(11);
	});

	it('to a private address is refused, by its number and by its name', async () => {
		for (const location of ['http://10.0.0.1/', 'http://inner.example/', 'http://[::ffff:169.254.169.254]/']) {
			const {url} = await startServer((_, response) => response.writeHead(301, {location}).end());
			const resolve = async (name: string) => (name === 'inner.example' ? ['1.1.1.1', '192.168.0.1'] : []);
			expect(await problemOf(url, {resolve})).toMatch(/^private /);
		}
	});
});

describe('a private address', () => {
	it.each([
		['http://127.0.0.1:9/', 'private 127.0.0.1'],
		['http://localhost:9/', 'private localhost → 127.0.0.1'],
		['http://0/', 'private 0.0.0.0'],
		['http://[::1]:9/', 'private ::1'],
		['http://[64:ff9b::7f00:1]/', 'private 64:ff9b::7f00:1'],
		['http://[2002:7f00:1::]/', 'private 2002:7f00:1::'],
	])('is refused: %s', async (url, problem) => {
		expect(await problemOf(url, {guard: createGuard({allowed: []})})).toBe(problem);
	});

	it('is refused if any of the addresses of a name is private', async () => {
		const resolve = async () => ['1.1.1.1', '2606:4700::1111', '::ffff:10.0.0.1'];
		const guard = createGuard({allowed: []});
		expect(await problemOf('http://mixed.example/', {guard, resolve})).toBe(
			'private mixed.example → ::ffff:10.0.0.1',
		);
		// A rule must name the address in its plain form.
		expect(guard.asked.private).toEqual(['10.0.0.1']);
	});

	it('is not connected to when the name changes its address after the check', async () => {
		const {port} = await startServer((_, response) => response.end('checked'));
		const answers = [['127.0.0.1'], ['10.0.0.1']];
		let asked = 0;
		const resolve = async () => answers[asked++] ?? [];
		const page = await fetched(`http://rebinding.example:${port}/`, {resolve});
		// The connection uses the checked address. The name is not looked up a second time.
		expect([page.body.toString(), asked]).toEqual(['checked', 1]);
		expect(await problemOf(`http://rebinding.example:${port}/`, {resolve})).toMatch(/^private .* → 10\.0\.0\.1$/);
	});

	it('is checked again after a redirect on the same site', async () => {
		const {port} = await startServer((_, response) => response.writeHead(302, {location: '/next'}).end());
		const answers = [['127.0.0.1'], ['169.254.169.254']];
		let asked = 0;
		expect(
			await problemOf(`http://rebinding.example:${port}/`, {resolve: async () => answers[asked++] ?? []}),
		).toBe('private rebinding.example → 169.254.169.254');
	});
});

describe('a host that cannot be reached', () => {
	it('is named with the reason', async () => {
		const {port} = await startServer(() => {});
		expect(await problemOf('http://missing.example/', {resolve: async () => []})).toBe(
			'no_address missing.example',
		);
		expect(
			await problemOf('http://missing.example/', {resolve: async () => Promise.reject(new Error('ENOTFOUND'))}),
		).toBe('no_address missing.example');
		expect(await problemOf(`https://127.0.0.1:${port}/`)).toMatch(/^connection /);
		expect(await problemOf('http://closed.example:1024/', {resolve: local})).toBe('connection ECONNREFUSED');
	});
});
