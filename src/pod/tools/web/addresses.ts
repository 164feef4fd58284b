import {BlockList, isIP} from 'node:net';

/**
Tells whether an IP address is in the public internet. No special range is public: private, loopback, link-local, shared
(CGNAT), multicast, reserved, and those for documentation and tests. An IPv6 address that contains an IPv4 address
counts as that address. Of IPv6, only addresses in 2000::/3 are public.
*/
export function isPublicAddress(address: string): boolean {
	const version = isIP(address);
	if (version === 4) return !special.check(address, 'ipv4');
	if (version !== 6 || address.includes('%')) return false;
	const parts = partsOf(address);
	const embedded = embeddedAddress(parts);
	if (embedded !== undefined) return isPublicAddress(embedded);
	const [first = 0] = parts;
	return first >> 13 === 1 && !special.check(address, 'ipv6');
}

/** Tells whether two texts are the same IP address. */
export function isSameAddress(one: string, other: string): boolean {
	return canonical(one) === canonical(other);
}

/** Returns an IP address in the form that it has in URLs, without brackets. IPv4 inside IPv6 becomes IPv4. */
export function canonical(address: string): string {
	if (isIP(address) !== 6) return address;
	const parts = partsOf(address);
	if (isMapped(parts)) return ipv4Of(parts, 6);
	return URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? address;
}

const special = new BlockList();
for (const range of [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	// Multicast, reserved, and broadcast.
	'224.0.0.0/3',
	// The special uses inside 2000::/3: protocols such as Teredo, benchmarks, documentation.
	'2001::/23',
	'2001:db8::/32',
	'3fff::/20',
]) {
	const [network = '', bits = ''] = range.split('/');
	special.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
}

/**
Returns the IPv4 address to which a connection to an IPv6 address leads, if it is a mapped, NAT64 or 6to4 address.
*/
function embeddedAddress(parts: readonly number[]): string | undefined {
	if (isMapped(parts) || startsWith(parts, [0x64, 0xff9b, 0, 0, 0, 0])) return ipv4Of(parts, 6);
	return parts[0] === 0x2002 ? ipv4Of(parts, 1) : undefined;
}

function isMapped(parts: readonly number[]): boolean {
	return startsWith(parts, [0, 0, 0, 0, 0, 0xffff]);
}

function startsWith(parts: readonly number[], start: readonly number[]): boolean {
	return start.every((part, index) => parts[index] === part);
}

function ipv4Of(parts: readonly number[], at: number): string {
	return [parts[at] ?? 0, parts[at + 1] ?? 0].flatMap(part => [part >> 8, part & 255]).join('.');
}

/** Returns the eight parts of an IPv6 address. */
function partsOf(address: string): readonly number[] {
	const plain = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? '';
	const [start = '', end] = plain.split('::');
	const numbers = (text: string) =>
		text
			.split(':')
			.filter(part => part !== '')
			.map(part => Number.parseInt(part, 16));
	const [before, after] = [numbers(start), numbers(end ?? '')];
	return [...before, ...Array.from({length: 8 - before.length - after.length}, () => 0), ...after];
}
