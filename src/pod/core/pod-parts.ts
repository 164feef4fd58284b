import type {Draft, Message} from '../../worker/index.ts';
import type {Compaction} from '../context/compaction/automatic.ts';
import type {Method, PodClient, Receipt} from '../protocol.ts';
import type {Budget} from '../run/budget/budget.ts';
import type {Boundary} from '../run/turn/turn.ts';
import type {Recovery} from '../run/turn/recovery.ts';
import type {Steering} from '../run/turn/steering.ts';
import type {TurnOptions, Turns} from '../run/turn/turn.ts';
import type {DirectoryConfirmed} from '../run/turn/working-directory.ts';
import type {Feature, referencesOf} from './feature.ts';
import type {ChildRole, CoreOptions} from './options.ts';
import type {PermissionParts} from './permissions.ts';
import type {SessionParts} from './session.ts';

/** The parts of a pod. `features` and what follows it are there when all features have been created. */
export type PodParts<Options extends CoreOptions = CoreOptions> = {
	readonly options: Options;
	readonly session: SessionParts;
	readonly permissions: PermissionParts;
	/** Sends a method as a client does. */
	readonly send: (method: Method) => Promise<Receipt>;
	/** Opens the pod of a child session, which has the same features. */
	readonly openChild: (own: ChildOptions) => PodClient;
	readonly features: readonly Feature[];
	readonly references: ReturnType<typeof referencesOf>;
	readonly requests: RequestParts;
};

/** Creates a feature for a pod. It loads as little as possible: every pod creates all of its features. */
export type CreateFeature<Options extends CoreOptions = CoreOptions> = (pod: PodParts<Options>) => Feature;

/** The options of a child session that are not those of its parent. */
type ChildOptions = Pick<CoreOptions, 'session' | 'scope' | 'model' | 'approval'> & {readonly child: ChildRole};

/** The parts that send requests: turns, steering and compactions. */
export type RequestParts = {
	readonly turns: Turns;
	readonly steering: Steering;
	readonly boundary: Boundary;
	readonly compaction: Compaction;
	readonly recovery: Recovery;
	/** The limits of cost and requests, which children share. */
	readonly budget: Budget;
	readonly resolve: TurnOptions['resolve'];
	/** Returns the setup of the next request. */
	readonly setup: () => Promise<Draft<'setup'>>;
	/** Creates a message to the model that does not come from the user. `forRun`: a run answers it. */
	readonly notice: (text: string, forRun: boolean) => Message;
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
};
