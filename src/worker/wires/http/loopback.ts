import {BlockList, isIP} from 'node:net';

/** Tells whether a URL points to this machine. */
export function isLoopback({hostname}: {readonly hostname: string}): boolean {
	return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/i.test(
		hostname,
	);
}

/**
Tells whether an address belongs to this machine or to a private network. `address` is an IP address or a host's name.
*/
export function isLocalAddress(address: string): boolean {
	const bare = address.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
	const version = isIP(bare);
	return version === 0 ? isLoopback({hostname: bare}) : localRanges.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}

/**
The loopback, private and link-local ranges, and the shared range of RFC 6598, which VPNs use. IPv4-mapped IPv6
addresses match, too.
*/
const localRanges = new BlockList();
for (const [net, prefix] of [
	['0.0.0.0', 32],
	['127.0.0.0', 8],
	['10.0.0.0', 8],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
	['169.254.0.0', 16],
	['100.64.0.0', 10],
] as const)
	localRanges.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
	['::1', 128],
	['fc00::', 7],
	['fe80::', 10],
] as const)
	localRanges.addSubnet(net, prefix, 'ipv6');
