import type {Table} from '../start/subcommand.ts';
import {acp} from './acp.ts';
import {attach} from './attach.ts';
import {blame} from './blame.ts';
import {chat} from './chat.ts';
import {commitTrailer} from './commit-trailer.ts';
import {completions, man} from './completions.ts';
import {config} from './config.ts';
import {context} from './context.ts';
import {doctor} from './doctor.ts';
import {exported} from './export.ts';
import {imported} from './import.ts';
import {login, logout} from './login.ts';
import {mcp} from './mcp.ts';
import {models} from './models.ts';
import {notify} from './notify.ts';
import {records} from './records.ts';
import {redact} from './redact.ts';
import {repair} from './repair.ts';
import {replay} from './replay.ts';
import {serve} from './serve.ts';
import {sign} from './sign.ts';
import {sessions} from './sessions.ts';
import {deleted, trash} from './trash.ts';
import {verify} from './verify.ts';

/** All subcommands, in the order of the help. */
export const subcommands = [
	attach,
	acp,
	serve,
	sessions,
	records,
	blame,
	commitTrailer,
	verify,
	sign,
	replay,
	repair,
	redact,
	exported,
	imported,
	deleted,
	trash,
	context,
	notify,
	models,
	config,
	login,
	logout,
	mcp,
	doctor,
	completions,
	man,
] as const;

export const table: Table = [chat, ...subcommands];
