/**
 * A lesson in progress: the engine plays it with the real rules (engine/lesson.h); this keeps what the page
 * shows. An action that the step does not want rejects like a room's refusal, with the lesson's own
 * sentence.
 */
import type { EngineAnswer } from '../engine/engine.svelte';
import { Engine } from '../engine/engine.svelte';
import type { GameAction, GameEvent, GameId, RoleId, RoomState, You } from '../protocol';
import { Refusal } from '../protocol';

export type Phase = 'loading' | 'playing' | 'done' | 'over' | 'failed';

const lost = 'The rules did not load. Check the connection, then load the page again.';

export class Lesson {
  phase: Phase = $state('loading');
  title = $state('');
  /** What is said after the last step. */
  end = $state('');
  steps: string[] = $state.raw([]);
  step = $state(0);
  /** The step's text, paragraph by paragraph; once it is done, the result. */
  words: string[] = $state.raw([]);
  /** The answer to the last action, if the step did not want it. */
  answer = $state('');
  /** The learner has failed twice or more. */
  stuck = $state(false);
  /** The step ends at a goal, not after a single action. */
  free = $state(false);
  role: RoleId = $state('');
  state = $state.raw<RoomState | null>(null);
  you = $state.raw<You>({ role: null });
  events = $state.raw<GameEvent[]>([]);

  private tries = 0;
  private readonly engine: Pick<Engine, 'start' | 'stop' | 'ask' | 'loaded'>;

  constructor(
    readonly game: GameId,
    engine: Pick<Engine, 'start' | 'stop' | 'ask' | 'loaded'> = new Engine(),
  ) {
    this.engine = engine;
    engine.start();
  }

  async open(text: string | null): Promise<void> {
    const there = text !== null && (await this.engine.loaded);
    const answer = there ? await this.engine.ask({ ask: 'lesson', text }) : null;
    if (answer === null || answer.error !== undefined) {
      this.fail(answer?.error ?? lost);
      return;
    }
    this.title = String(answer['title']);
    this.end = String(answer['end']);
    this.steps = answer['steps'] as string[];
    await this.begin(0);
  }

  /** Starts the step. */
  async begin(step: number): Promise<void> {
    const answer = await this.engine.ask({ ask: 'lesson_step', step });
    if (answer === null || answer.error !== undefined) {
      this.fail(answer?.error ?? lost);
      return;
    }
    this.step = step;
    this.role = String(answer['role']);
    this.words = answer['say'] as string[];
    this.free = answer['until'] === true;
    this.answer = '';
    this.stuck = false;
    this.tries = 0;
    this.phase = answer['finished'] === true ? 'done' : 'playing';
    this.show(answer);
  }

  async next(): Promise<void> {
    if (this.phase !== 'done') return;
    if (this.step + 1 < this.steps.length) await this.begin(this.step + 1);
    else {
      this.phase = 'over';
      this.words = [this.end];
    }
  }

  async back(): Promise<void> {
    if (this.step > 0) await this.begin(this.step - 1);
  }

  /** The board's action. Settles once it has been played or staged. */
  act = async (action: GameAction): Promise<void> => {
    const answer = await this.ask({ ask: 'lesson_try', action });
    if (answer['outcome'] !== 'no') {
      await this.settle(answer);
      return;
    }
    const said = String(answer['said']);
    this.tries += 1;
    this.stuck = this.tries > 1;
    this.answer = said === '' ? 'Not yet. Do what the lesson asks for.' : said;
    throw new Refusal('illegal', this.answer);
  };

  /** Does what the step wants. */
  async showMe(): Promise<void> {
    await this.settle(await this.ask({ ask: 'lesson_try' }));
  }

  dispose(): void {
    this.engine.stop();
  }

  private async ask(request: object): Promise<EngineAnswer> {
    const answer = await this.engine.ask(request);
    if (answer === null || answer.error !== undefined) {
      const sentence = answer?.error ?? lost;
      this.answer = sentence;
      throw new Refusal('lost', sentence);
    }
    return answer;
  }

  private async settle(answer: EngineAnswer): Promise<void> {
    const said = String(answer['said']);
    this.answer = '';
    this.show(answer);
    if (answer['outcome'] === 'done') {
      this.phase = 'done';
      this.words = [said === '' ? 'Well done.' : said];
    } else if (answer['outcome'] === 'restart') {
      await this.begin(this.step);
      this.answer = said;
    }
  }

  private fail(sentence: string): void {
    this.phase = 'failed';
    this.answer = sentence;
  }

  /** The position as a room would show it. */
  private show(answer: EngineAnswer): void {
    const position = answer['state'] as Record<string, unknown>;
    this.events = (answer['events'] as GameEvent[] | undefined) ?? [];
    this.you = { role: this.role, ...(answer['you'] as object | undefined) };
    this.state = {
      room_id: '',
      game: this.game,
      rules_version: 0,
      players: { [this.role]: true },
      names: {},
      bots: {},
      spectators: 0,
      paused: false,
      config: answer['config'],
      created_at: 0,
      started_at: 0,
      ended_at: null,
      seed_hash: null,
      next_round_at: null,
      ...position,
    } as unknown as RoomState;
  }
}
