/* The renewal of a session, as a model that spin checks exhaustively: no reachable state in which a pair that the
 * server would accept is gone. check.sh runs it, whole and with one protective step after the other taken out.
 *
 * What is modelled
 *   The server      refresh tokens that are good once. A session's tokens are numbered 1, 2, 3…; `live` is the one
 *                   that the server takes. A spent one that comes again ends the session at a strict server (family
 *                   revocation), and brings the live pair once more at one that grants a moment of grace.
 *   The item        of the keyring: the pair, the session, the mark of a renewal that has begun, the flag of a dead
 *                   token. Any access may be refused; a write that was refused may have taken effect all the same.
 *   The hold        in the kernel, for a pair that the keyring refused. It may be refused too, and a restart of the
 *                   machine empties it.
 *   The lock        flock: the open file belongs to all processes that inherited it, and is free when the last is gone.
 *   Caller          a run of any command that needs a token: loads, takes the lock, loads again, puts back what the
 *                   kernel holds, adopts or starts the exchange. Two at a time, each RUNS times.
 *   Exchange        the child that inherits the caller's lock: load, mark, send, store; the answer may get lost, once or
 *                   in both of its tries.
 *   Logout, Login   a person's, with the lock. The login begins session 2.
 *   Outsider        removes the item without any lock: secret-tool, or a machine that shares the keyring.
 *   Reaper          kills any of our processes between any two steps (SIGKILL, power loss), KILLS times at the most.
 *
 * What is claimed of every state
 *   kept            While the server takes a refresh token of a session that was stored and that nobody has ended, that
 *                   token is in the item, in the kernel's hold, or in the memory of an exchange that runs. The death of
 *                   callers changes nothing about it. Excepted is a session whose answer was lost: on the wire, with an
 *                   exchange that was itself killed before the pair was stored (power loss), with the kernel's memory,
 *                   or where neither keyring nor kernel took the pair until the deadline. Of that one is claimed:
 *   marked          As long as the item has the token whose answer was lost, it has the mark or the server's verdict
 *                   too: the next run can tell. Where the server grants grace to that token, `kept` holds again from
 *                   the moment at which its answer was stored; a strict server has ended the session, which no client
 *                   can prevent.
 *   once            No token is sent again after the server has taken it, unless such a loss came first, and the
 *                   exchange that sends it again has seen the mark, or has lost the answer itself.
 *   spared          No token that the server takes is called dead, or revoked by any but who ends the session.
 *   fenced          After a logout no item has tokens of that session, nor has the kernel after one that ran to its
 *                   end; and one that has said "revoked" leaves nothing that the server takes.
 *   freed           Nobody dead holds the lock, and nobody waits for it for ever (no invalid end state).
 *
 * What is not modelled
 *   Time: a deadline is the choice to give up. Access tokens: a run that finds one which will do changes nothing. The
 *   note of failures in the lock's file and the waiters who share it: they end without a step, as a run here may. A
 *   second machine that renews, since it has no lock in common. A request that the server takes after a later one: the
 *   kernel drops what a dead process has not sent (SO_LINGER). A server that answers with an error although it has
 *   rotated the token: to the model that is a lost answer, so the exchange must take it for one. A keyring that says
 *   "gone" of an item that it only can't reach.
 */

#ifndef RUNS
#define RUNS 2  /* of each caller */
#endif
#ifndef KILLS
#define KILLS 2
#endif
#define LAST 4  /* the last token of a session: the server answers "later" to a renewal of it */

/* Processes of ours, as the reaper and the lock know them. */
#define CHILD 2  /* CHILD + 0 and CHILD + 1, of callers 0 and 1 */
#define LOGOUT 4
#define LOGIN 5
#define ALL 6

typedef Item { bool there = true, marked, dead; byte object = 1, session = 1, token = 1 };
typedef Hold { byte session, old, new };  /* new is 0 where nothing is held */

Item item;
Hold hold;
byte live[3];       /* by session; 0: none */
bool loginEnded;

byte holders;       /* how many processes have the lock's open file */
bool has[ALL], alive[ALL], killed[ALL];
bool begin[2];      /* a caller has started its child */

/* What the claims speak of; no process looks at these. */
byte spent[3];      /* the last token that the server has taken */
byte lost[3];       /* the token whose answer was lost */
bool stored[3];     /* a login or renewal has stored it */
bool over[3];       /* somebody ends it, or has ended it */
bool cleared[3], closed[3], revoked[3];
/* What an exchange has in memory or on its wire: pair, old one, session. */
byte brought[2], broughtFrom[2], broughtOf[2];

#define KEPT(s) ((item.there && item.session == s && item.token == live[s]) \
  || (hold.new == live[s] && hold.session == s) \
  || (brought[0] == live[s] && broughtOf[0] == s) || (brought[1] == live[s] && broughtOf[1] == s))
#define IS_KEPT(s) (!stored[s] || live[s] == 0 || over[s] || lost[s] != 0 || KEPT(s))
#define IS_MARKED(s) (lost[s] == 0 || !item.there || item.session != s || item.token != lost[s] || item.marked \
  || item.dead)
#define IS_SPARED(s) (!item.there || item.session != s || !item.dead || live[s] == 0 || item.token != live[s])
#define IS_FENCED(s) (!(cleared[s] && item.there && item.session == s) \
  && !(closed[s] && hold.new != 0 && hold.session == s) && !(revoked[s] && live[s] != 0 && lost[s] == 0))
#define IS_FREED (holders == has[0] + has[1] + has[2] + has[3] + has[4] + has[5])

/* Waits for nothing but a state that must not be. */
proctype Claims() {
  bool kept = true, marked = true, spared = true, fenced = true, freed = true;
end:
  if
  :: atomic { !(IS_KEPT(1) && IS_KEPT(2)) -> kept = false; assert(kept) }
  :: atomic { !(IS_MARKED(1) && IS_MARKED(2)) -> marked = false; assert(marked) }
  :: atomic { !(IS_SPARED(1) && IS_SPARED(2)) -> spared = false; assert(spared) }
  :: atomic { !(IS_FENCED(1) && IS_FENCED(2)) -> fenced = false; assert(fenced) }
  :: atomic { !IS_FREED -> freed = false; assert(freed) }
  fi
}

/* --- The lock ----------------------------------------------------------------------------------------------------- */

#ifdef BREAK_NO_LOCK
#define FREE true
#else
#define FREE (holders == 0)
#endif

inline take(p) { has[p] = true; holders++ }

inline free(p) {
  if
  :: has[p] -> has[p] = false; holders--
  :: else
  fi
}

/* --- The server --------------------------------------------------------------------------------------------------- */

/* Ends a session, where its token is `x`; only who ends it on purpose may end one that is alive. */
inline revoke(q, x) {
  if
  :: live[q] == x && x != 0 ->
     assert(over[q]);  /* spared */
     if
     :: live[q] = 0
     :: true  /* the server can't be reached */
     fi
  :: else
  fi
}

/* --- Callers ------------------------------------------------------------------------------------------------------ */

#ifdef BREAK_RESCUE_UNCOMPARED
#define FITS (item.there)
#else
#define FITS (item.there && hold.session == item.session && hold.old == item.token)
#endif

proctype Caller(byte me) {
  byte runs, s, t;
  do
  :: runs == RUNS -> break
  :: runs < RUNS ->
     runs++;
     {
       /* A pair whose access token will not do. */
       if
       :: atomic { item.there && !item.dead -> alive[me] = true; s = item.session; t = item.token }
       :: atomic { !item.there || item.dead -> goto finished }
       fi;
       if
       :: atomic { FREE -> take(me) }
       :: goto finished  /* adopts from another process, shares its failure, or gives up */
       fi;

       /* Under the lock: what the kernel holds comes first. */
       if
       :: hold.new == 0
       :: atomic {
            hold.new != 0 && FITS ->
            if
            :: item.token = hold.new; item.marked = false; item.dead = false; lost[item.session] = 0
            :: item.token = hold.new; item.marked = false; item.dead = false; lost[item.session] = 0; goto ended
            :: goto ended  /* the keyring refuses: nothing is sent */
            fi
          }
          hold.new = 0
       :: atomic {
            hold.new != 0 && !FITS ->
            if
#ifdef BREAK_HOLD_REVOKED_ANYWAY
            :: true -> revoke(hold.session, hold.new)
#else
            :: !item.there || item.session != hold.session -> revoke(hold.session, hold.new)
#endif
            :: else  /* it has been put back already */
            fi;
            hold.new = 0
          }
       fi;

       if
#ifndef BREAK_NO_SECOND_READ
       :: goto ended  /* the keyring refuses */
       /* Somebody has renewed it meanwhile, or ended the session. */
       :: atomic { !item.there || item.dead || item.session != s || item.token != t -> goto ended }
       :: atomic { item.there && !item.dead && item.session == s && item.token == t && !alive[CHILD + me] ->
#else
       :: atomic { !alive[CHILD + me] -> broughtFrom[me] = t; broughtOf[me] = s;
#endif
            begin[me] = true; alive[CHILD + me] = true;
#ifndef BREAK_CHILD_WITHOUT_LOCK
            take(CHILD + me)
#endif
          }
       :: atomic { alive[CHILD + me] -> goto ended }
       fi;
       atomic { free(me) };  /* from now on it is the child's alone */
       !alive[CHILD + me];   /* the end of its pipe */
ended:
       atomic { free(me) }
finished:
       atomic { alive[me] = false; s = 0; t = 0 }
     } unless { atomic { killed[me] -> killed[me] = false; s = 0; t = 0 } }
  od
}

/* --- The exchange ------------------------------------------------------------------------------------------------- */

/* The item is overwritten only where it is still the one that was found, of the same session. */
#define SAME (item.there && item.object == o && item.session == s)

inline write(x) { item.token = x; item.marked = false; item.dead = false; stored[s] = true; lost[s] = 0 }

/* It is safe, or nobody's any more. */
inline forget() { brought[me] = 0; broughtFrom[me] = 0; broughtOf[me] = 0 }

inline lose() { lost[s] = t; forget() }

/* What the server makes of token t of session s. */
inline serve() {
  if
  :: true ->  /* it did not come through: a refused connection, or the server has said "later" */
     answered = false
  :: live[s] == t && t < LAST ->
     spent[s] = t; live[s] = t + 1;
     brought[me] = t + 1; broughtFrom[me] = t; broughtOf[me] = s; answered = true
  :: live[s] == t + 1 ->  /* a moment of grace */
     brought[me] = t + 1; broughtFrom[me] = t; broughtOf[me] = s; answered = true
  :: live[s] != t ->
     live[s] = 0; refused = true; answered = true
  fi
}

proctype Exchange(byte me) {
  byte s, t, o;
  bool wasMarked, again, answered, refused, tried;
end:
  {
    begin[me] -> begin[me] = false;

    atomic {
      if
      :: item.there -> s = item.session; t = item.token; o = item.object; wasMarked = item.marked
      :: !item.there -> goto over_
      :: goto over_
      fi;
#ifdef BREAK_NO_SECOND_READ
      s = broughtOf[me]; t = broughtFrom[me]; broughtOf[me] = 0; broughtFrom[me] = 0
#endif
    }

#ifndef BREAK_NO_MARK
    atomic {
      if
      :: item.there && item.object == o -> item.marked = true
      :: item.there && item.object == o -> item.marked = true; goto over_
      :: goto over_  /* refused, or gone: nothing is sent */
      fi
    }
#endif

send:
    atomic {
      assert(spent[s] < t || lost[s] == t);         /* once */
      assert(spent[s] < t || wasMarked || again);   /* once */
      serve()
    }
    if
    :: atomic { !answered ->
         /* Surely without effect: the item is as it was, unless the first try was not so sure. */
         if
#ifdef BREAK_MARK_TAKEN_OUT
         :: item.there && item.object == o -> item.marked = false
#else
         :: item.there && item.object == o && !again -> item.marked = wasMarked
#endif
         :: true  /* the keyring refuses, or the first try was not so sure */
         fi;
         goto over_
       }
    :: atomic { answered && refused ->
         if
         :: SAME && item.token == t -> item.dead = true; item.marked = false
         :: true
         fi
       }
#ifdef BREAK_HOOK_WITH_LOCK
       loginEnded;
#endif
       goto over_
    :: atomic { answered && !refused ->
         /* The answer gets lost. */
         lose(); answered = false;
         if
         :: !again -> again = true; goto send
         :: again -> goto over_
         fi
       }
    :: answered && !refused
    fi;

store:
    atomic {
      if
      :: SAME -> write(brought[me]); forget(); goto over_
      :: SAME -> write(brought[me])  /* refused, as far as one knows */
      :: SAME  /* refused */
      :: !SAME ->
#ifdef BREAK_STORE_CREATES
         item.there = true; item.object++; item.session = s; write(brought[me]); forget(); goto over_
#else
         revoke(s, brought[me]); forget(); goto over_
#endif
      fi
    }
    atomic {
      if
      :: hold.session = s; hold.old = t; hold.new = brought[me]; forget()
      :: !tried -> tried = true; goto store
      :: tried -> lose()
      fi
    }

over_:
    atomic {
      free(CHILD + me); alive[CHILD + me] = false;
      s = 0; t = 0; o = 0; wasMarked = false; again = false; answered = false; refused = false; tried = false
    }
    goto end
  } unless {
    atomic {
      killed[CHILD + me] -> killed[CHILD + me] = false;
      s = 0; t = 0; o = 0; wasMarked = false; again = false; answered = false; refused = false; tried = false
    }
  }
  goto end
}

/* --- Who ends a session, and who begins one ----------------------------------------------------------------------- */

#ifdef WITH_LOGOUT
proctype Logout() {
  byte s, t;
  bool said;
  {
#ifdef BREAK_LOGOUT_WITHOUT_LOCK
    alive[LOGOUT] = true;
#else
    atomic { FREE -> alive[LOGOUT] = true; take(LOGOUT) }
#endif
    atomic {
      if
      :: item.there -> s = item.session; t = item.token; over[s] = true
      :: !item.there
      :: goto ended  /* the keyring refuses: nothing has happened */
      fi
    }
    atomic {
      if
      :: said = true;
         if
         :: live[s] == t -> live[s] = 0
         :: else  /* a server says yes to a token that it does not take (RFC 7009, section 2.2) */
         fi;
#ifndef BREAK_HOLD_NOT_REVOKED
         if
         :: hold.new != 0 && live[hold.session] == hold.new -> assert(over[hold.session]); live[hold.session] = 0
         :: else
         fi
#endif
      :: said = false
      fi
    }
    atomic {
      if
      :: item.there -> item.there = false; cleared[item.session] = true
      :: item.there -> item.there = false; goto ended
      :: !item.there
      :: goto ended  /* refused */
      fi
    }
    atomic { hold.new = 0; closed[s] = true; revoked[s] = said }
ended:
    atomic { free(LOGOUT); alive[LOGOUT] = false }
  } unless { killed[LOGOUT] }
}
#endif

#ifdef WITH_LOGIN
proctype Login() {
  byte s, t;
  {
    atomic { FREE -> alive[LOGIN] = true; live[2] = 1; take(LOGIN) }
    atomic {
      if
      :: item.there -> s = item.session; t = item.token; over[s] = true
      :: !item.there -> item.object++
      :: goto ended  /* the keyring refuses */
      fi;
      item.there = true; item.session = 2; item.token = 1; item.marked = false; item.dead = false; stored[2] = true
    }
ended:
    atomic { free(LOGIN) }
    atomic { revoke(s, t); alive[LOGIN] = false }
  } unless { killed[LOGIN] }
  loginEnded = true
}
#endif

#ifdef WITH_OUTSIDER
proctype Outsider() {
end:
  atomic { item.there -> item.there = false; over[item.session] = true; cleared[item.session] = true }
}
#endif

/* --- Crashes ------------------------------------------------------------------------------------------------------ */

#ifdef BREAK_LOCK_OUTLIVES_ITS_HOLDER
#define FREED(p) has[p] = false
#else
#define FREED(p) free(p)
#endif

inline kill(who) { killed[who] = true; alive[who] = false; kills++; FREED(who) }

inline killExchange(c) {
  kill(CHILD + c);
  begin[c] = false;
  if
  :: brought[c] != 0 && !(item.there && item.session == broughtOf[c] && item.token == brought[c]) ->
     lost[broughtOf[c]] = broughtFrom[c]
  :: else
  fi;
  brought[c] = 0; broughtFrom[c] = 0; broughtOf[c] = 0
}

proctype Reaper() {
  byte kills;
end:
  do
  :: atomic { alive[0] && kills < KILLS -> kill(0) }
  :: atomic { alive[1] && kills < KILLS -> kill(1) }
  :: atomic { alive[CHILD] && kills < KILLS -> killExchange(0) }
  :: atomic { alive[CHILD + 1] && kills < KILLS -> killExchange(1) }
  :: atomic { alive[LOGOUT] && kills < KILLS -> kill(LOGOUT) }
  :: atomic { alive[LOGIN] && kills < KILLS -> kill(LOGIN) }
  :: atomic {
       hold.new != 0 && !alive[0] && !alive[1] && !alive[CHILD] && !alive[CHILD + 1] && !alive[LOGOUT] &&
       !alive[LOGIN] ->
       /* The machine starts anew. */
       if
       :: item.there && item.session == hold.session && item.token == hold.old -> lost[hold.session] = hold.old
       :: else
       fi;
       hold.new = 0
     }
  od
}

init {
  atomic {
    live[1] = 1; stored[1] = true;
    run Claims(); run Caller(0); run Caller(1); run Exchange(0); run Exchange(1); run Reaper();
#ifdef WITH_LOGOUT
    run Logout();
#endif
#ifdef WITH_LOGIN
    run Login();
#endif
#ifdef WITH_OUTSIDER
    run Outsider();
#endif
  }
}
