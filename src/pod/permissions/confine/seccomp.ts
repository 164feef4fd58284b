/**
Returns the filter of system calls for a processor as a program of the kernel's classic BPF (seccomp(2)), or `undefined`
for a processor whose calls inkpod does not know. The filter allows all calls up to the number `lastKnown`, except those
in the table. Newer calls are refused. The filter kills programs for other architectures.
*/
export function systemCallFilter(processor: string = process.arch): Uint8Array | undefined {
	const calls = processors[processor];
	return calls === undefined ? undefined : assembled(instructionsFor(calls));
}

type Calls = {
	/** The number of the architecture (linux/audit.h). */
	readonly architecture: number;
	/**
	A bit in the numbers of calls. Calls with this bit belong to another architecture with the same architecture number
	(x32).
	*/
	readonly foreignBit?: number;
	readonly socket: number;
	readonly socketpair: number;
	/** Calls that could get around the walls, or that expose much of the kernel to an attacker. */
	readonly refused: readonly number[];
};

/** The calls with the same number on all processors. */
const refusedEverywhere = [
	...[425, 426, 427], // io_uring_setup, io_uring_enter, io_uring_register
	...[428, 429, 430, 431, 432, 433, 442], // open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr
	443, // quotactl_fd
] as const;
const lastKnown = 462;

const processors: Readonly<Record<string, Calls>> = {
	x64: {
		architecture: 0xc0_00_00_3e,
		foreignBit: 0x40_00_00_00,
		socket: 41,
		socketpair: 53,
		refused: [
			...[248, 249, 250], // add_key, request_key, keyctl
			...[321, 323, 298], // bpf, userfaultfd, perf_event_open
			304, // open_by_handle_at
			...[165, 166, 155, 308], // mount, umount2, pivot_root, setns
			...[246, 320, 169], // kexec_load, kexec_file_load, reboot
			...[175, 313, 176], // init_module, finit_module, delete_module
			...[167, 168, 163, 179], // swapon, swapoff, acct, quotactl
			...[172, 173, 300, 212, 180], // iopl, ioperm, fanotify_init, lookup_dcookie, nfsservctl
			103, // syslog: the log of the kernel names other processes
			...refusedEverywhere,
		],
	},
	arm64: {
		architecture: 0xc0_00_00_b7,
		socket: 198,
		socketpair: 199,
		refused: [
			...[217, 218, 219], // add_key, request_key, keyctl
			...[280, 282, 241], // bpf, userfaultfd, perf_event_open
			265, // open_by_handle_at
			...[40, 39, 41, 268], // mount, umount2, pivot_root, setns
			...[104, 294, 142], // kexec_load, kexec_file_load, reboot
			...[105, 273, 106], // init_module, finit_module, delete_module
			...[224, 225, 89, 60], // swapon, swapoff, acct, quotactl
			...[262, 18, 42], // fanotify_init, lookup_dcookie, nfsservctl
			116, // syslog
			...refusedEverywhere,
		],
	},
};

/** Constants of the kernel: socket(2), errno(3), linux/seccomp.h. */
const families = {unix: 1, inet: 2, inet6: 10, netlink: 16} as const;
const types = {stream: 1, seqpacket: 5} as const;
/** Masks the type of a socket, without the flags SOCK_CLOEXEC and SOCK_NONBLOCK. */
const typeMask = 0xf;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97];
const allow = 0x7f_ff_00_00;
const kill = 0x80_00_00_00;
const refuse = (errno: number) => 0x00_05_00_00 + errno;

/**
Offsets in `struct seccomp_data`. An argument of 32 bits is the lower half of its field. The lower half comes first on
both processors.
*/
const offsets = {number: 0, architecture: 4, first: 16, second: 24} as const;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const mask = (value: number): Instruction => [0x54, 0, 0, value];
const end = (value: number): Instruction => [0x06, 0, 0, value];
/** Continues with the next instruction if the loaded value is equal. Otherwise skips `skip` instructions. */
const unlessEqual = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const unlessAbove = (value: number, skip: number): Instruction => [0x25, 0, skip, value];
const unlessBit = (value: number, skip: number): Instruction => [0x45, 0, skip, value];

function instructionsFor({architecture, foreignBit, socket, socketpair, refused}: Calls): readonly Instruction[] {
	const oneOf = (values: readonly number[]) => values.flatMap(value => [unlessEqual(value, 1), end(allow)]);
	const socketRules = [load(offsets.first), ...oneOf(Object.values(families)), end(refuse(EAFNOSUPPORT))];
	const pairRules = [
		load(offsets.first),
		unlessEqual(families.unix, 6),
		load(offsets.second),
		mask(typeMask),
		...oneOf(Object.values(types)),
		end(refuse(EPERM)),
	];
	return [
		load(offsets.architecture),
		unlessEqual(architecture, 1),
		[0x05, 0, 0, 1],
		end(kill),
		load(offsets.number),
		...(foreignBit === undefined ? [] : [unlessBit(foreignBit, 1), end(kill)]),
		unlessEqual(socket, socketRules.length),
		...socketRules,
		unlessEqual(socketpair, pairRules.length),
		...pairRules,
		...refused.flatMap(number => [unlessEqual(number, 1), end(refuse(ENOSYS))]),
		unlessAbove(lastKnown, 1),
		end(refuse(ENOSYS)),
		end(allow),
	];
}

/** Returns the bytes of `struct sock_filter` for each instruction. Both processors are little-endian. */
function assembled(instructions: readonly Instruction[]): Uint8Array {
	const bytes = Buffer.alloc(instructions.length * 8);
	for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
		bytes.writeUInt16LE(code, index * 8);
		bytes.writeUInt8(ifTrue, index * 8 + 2);
		bytes.writeUInt8(ifFalse, index * 8 + 3);
		bytes.writeUInt32LE(value, index * 8 + 4);
	}
	return bytes;
}
